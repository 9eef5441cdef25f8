#include "admin/state_transfer.h"

#include <boost/json.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "admin/admin_output.h"
#include "admin/export_file.h"

namespace tonearm::native {
namespace {

namespace json = boost::json;

/// The body limit of the interface (BODY-2).
constexpr std::size_t kBodyBytesMax = 65'536;

// The first bytes of lines of these kinds.
constexpr std::string_view kKeyPrefix = R"({"type":"key",)";
constexpr std::string_view kItemPrefix = R"({"type":"item",)";

struct Counts {
  std::uint64_t take_downs = 0;
  std::uint64_t accounts = 0;
  std::uint64_t collections = 0;
  std::uint64_t items = 0;
  std::uint64_t keys = 0;

  void count(std::string_view kind) {
    if (kind == "take_down") ++take_downs;
    if (kind == "account") ++accounts;
    if (kind == "collection") ++collections;
    if (kind == "item") ++items;
    if (kind == "key") ++keys;
  }
};

[[noreturn]] void refuse_response() {
  throw std::runtime_error(
      "the server's response has an unknown format: is this the admin address of a Tonearm server of this version?");
}

/// `is_created`: set to whether the status is 201; may be null.
json::object request_json(const AdminServer& server, const std::string& method, const std::string& target,
                          const std::string& body = {}, bool* is_created = nullptr) {
  const auto response = native::send(server.url, {method, target, server.token, body}, server.ca_file);
  if (response.status != 200 && response.status != 201) throw std::runtime_error(error_message(response));
  if (is_created != nullptr) *is_created = response.status == 201;
  json::error_code error;
  auto value = json::parse(response.body, error);
  if (error || !value.is_object()) refuse_response();
  return std::move(value.as_object());
}

const json::array& list_in(const json::object& answer, std::string_view name) {
  const auto* value = answer.if_contains(name);
  if (value == nullptr || !value->is_array()) refuse_response();
  return value->get_array();
}

std::string required_text(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) refuse_response();
  return std::string(value->get_string());
}

/// Returns the cursor of the next page; empty: there is none.
std::string cursor_of(const json::object& answer) {
  const auto* value = answer.if_contains("cursor");
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

/// Calls `visit` for each page of a list.
void for_each_page(const AdminServer& server, const std::string& target,
                   const std::function<void(const json::object& page)>& visit) {
  for (std::string cursor, last;;) {
    std::string page_target = target;
    if (!cursor.empty()) page_target.append("?cursor=").append(cursor);
    const auto page = request_json(server, "GET", page_target);
    visit(page);
    last = std::exchange(cursor, cursor_of(page));
    if (cursor.empty()) return;
    if (cursor == last) refuse_response();
  }
}

// ---- Export

class Export {
 public:
  Export(const AdminServer& server, ExportFileWriter& file) : server_(server), file_(file) {}

  /// First, so that an import never offers a track that was taken down.
  void append_take_downs() {
    for_each_page(server_, "/admin/takedowns", [&](const json::object& page) {
      for (const auto& row : list_in(page, "takedowns")) {
        if (!row.is_object()) refuse_response();
        const json::object& shown = row.get_object();
        json::object line{{"type", "take_down"}};
        for (const std::string_view name : {"track_id", "reason", "added"}) line[name] = required_text(shown, name);
        append(json::serialize(line), "take_down");
      }
    });
  }

  void append_account(const std::string& account) {
    const std::string path = "/admin/accounts/" + account + "/export/";
    // Keys are last, so that no key opens an account whose collections are missing.
    std::vector<std::string> keys;
    for_each_page(server_, path + "keys", [&](const json::object& page) {
      for (const auto& line : list_in(page, "lines")) keys.push_back(json::value_to<std::string>(line));
      if (keys.empty()) refuse_response();
    });
    append(keys.front(), "account");
    for_each_page(server_, path + "collections", [&](const json::object& page) {
      for (const auto& line : list_in(page, "lines")) append(json::value_to<std::string>(line), {});
    });
    for (const auto& line : keys) {
      if (line.starts_with(kKeyPrefix)) {
        append(line, "key");
      } else if (line != keys.front()) {  // each page of keys begins with the account
        throw std::runtime_error("the account " + account + " was changed during the export: start again");
      }
    }
  }

  const Counts& counts() const { return counts_; }

 private:
  /// `kind`: empty for a collection or an item.
  void append(const std::string& line, std::string_view kind) {
    file_.append(line);
    counts_.count(kind.empty() ? (line.starts_with(kItemPrefix) ? "item" : "collection") : kind);
  }

  const AdminServer& server_;
  ExportFileWriter& file_;
  Counts counts_;
};

/// Returns null if `path` is empty.
std::unique_ptr<BackupFile> fetch_key_secret(const AdminServer& server, const std::string& path) {
  if (path.empty()) return nullptr;
  auto file = std::make_unique<BackupFile>(path);
  file->append(required_text(request_json(server, "GET", "/admin/state/key-secret"), "key_secret") + '\n');
  return file;
}

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// ---- Import

/// A batch of lines of one account that fits into one request.
class Batch {
 public:
  /// Returns false if the batch is full.
  bool add(const std::string& line) {
    const std::string quoted = json::serialize(json::string(line));
    const std::size_t comma = lines_.empty() ? 0 : 1;
    if (kFrameBytes + lines_.size() + comma + quoted.size() > kBodyBytesMax) return false;
    if (comma != 0) lines_ += ',';
    lines_ += quoted;
    return true;
  }
  bool empty() const { return lines_.empty(); }
  std::string take_body(bool check) {
    std::string body = R"({"lines":[)" + lines_ + R"(],"check":)" + (check ? "true}" : "false}");
    lines_.clear();
    return body;
  }

 private:
  static constexpr std::size_t kFrameBytes = std::string_view(R"({"lines":[],"check":false})").size();

  std::string lines_;
};

/// One pass through a file: refuses misplaced lines and sends every batch.
class ImportPass {
 public:
  /// `parse`: sends nothing. `check`: the server changes nothing.
  enum class Mode : std::uint8_t { parse, check, write };

  ImportPass(const AdminServer& server, const ExportFileReader& file, Mode mode)
      : server_(server), file_(file), mode_(mode) {}

  void run() {
    file_.read([this](std::uint64_t number, const std::string& line) { add_line(number, line); });
    end_account();
  }

  const Counts& counts() const { return counts_; }
  std::uint64_t added() const { return added_; }

 private:
  void add_line(std::uint64_t number, const std::string& line) {
    number_ = number;
    json::error_code error;
    const auto value = json::parse(line, error);
    const auto* type = !error && value.is_object() ? value.get_object().if_contains("type") : nullptr;
    if (type == nullptr || !type->is_string()) refuse("it has no type");
    const std::string kind(type->get_string());
    if (kind == "take_down") {
      add_take_down(value.get_object());
    } else if (kind == "account") {
      begin_account(value.get_object(), line);
    } else if (account_.empty()) {
      refuse("it precedes the first account");
    } else if (kind == "collection") {
      begin_collection(value.get_object(), line);
    } else if (kind == "item") {
      add_item(line);
    } else if (kind == "key") {
      add_key(line);
    } else {
      refuse("its type is unknown");
    }
    counts_.count(kind);
  }

  void add_take_down(json::object line) {
    if (!account_.empty()) refuse("it follows an account");
    line.erase("type");
    if (mode_ != Mode::write) return;
    first_number_ = last_number_ = number_;
    bool is_new = false;
    send_batch("/admin/takedowns", json::serialize(line), &is_new);
    if (is_new) ++added_;
  }

  void begin_account(const json::object& object, const std::string& line) {
    end_account();
    const auto* id = object.if_contains("account");
    account_ = id != nullptr && id->is_string() ? std::string(id->get_string()) : std::string();
    // The id becomes part of a path.
    if (account_.empty() || account_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
      refuse("its account is not a valid id");
    }
    account_line_ = line;
    is_sent_ = false;
    has_keys_ = false;
    begin_batch(account_line_);
  }

  /// Sends the account before its collections, and its keys last.
  void end_account() {
    end_collection();
    send(has_keys_ || !is_sent_ ? "keys" : "collections");
  }

  void begin_collection(const json::object& object, const std::string& line) {
    if (has_keys_) refuse("a collection follows a key of its account");
    end_collection();
    if (!is_sent_) send("keys");
    const auto* tracks = object.if_contains("track_count");
    items_left_ = tracks != nullptr && tracks->is_int64() ? tracks->get_int64() : -1;
    collection_line_ = line;
    if (batch_.empty()) first_number_ = number_;
    if (!add(line)) begin_next_batch("collections", line);
  }

  void add_item(const std::string& line) {
    if (!collection_line_) refuse("an item is outside a collection");
    if (items_left_ <= 0) refuse("the collection has more items than its line says");
    --items_left_;
    if (!add(line)) {
      begin_next_batch("collections", *collection_line_);
      if (!add(line)) refuse("it is too long for a request");
    }
  }

  void end_collection() {
    if (collection_line_ && items_left_ != 0) refuse("the collection before it lacks items");
    collection_line_.reset();
  }

  void add_key(const std::string& line) {
    if (!has_keys_) {
      end_collection();
      if (is_sent_) {
        if (!batch_.empty()) send("collections");
        begin_batch(account_line_);
      }
      has_keys_ = true;
    }
    if (!add(line)) {
      begin_next_batch("keys", account_line_);
      if (!add(line)) refuse("it is too long for a request");
    }
  }

  /// Returns false if the batch is full.
  bool add(const std::string& line) {
    if (!batch_.add(line)) return false;
    last_number_ = number_;
    return true;
  }
  void begin_batch(const std::string& line) {
    first_number_ = number_;
    if (!add(line)) refuse("it is too long for a request");
  }
  void begin_next_batch(const std::string& what, const std::string& line) {
    send(what);
    begin_batch(line);
  }

  void send(const std::string& what) {
    if (batch_.empty()) return;
    is_sent_ = true;
    const std::string body = batch_.take_body(mode_ == Mode::check);
    if (mode_ == Mode::parse) return;
    const auto answer = send_batch("/admin/accounts/" + account_ + "/import/" + what, body);
    const auto* added = answer.if_contains("added");
    if (added == nullptr || !added->is_int64()) refuse_response();
    added_ += static_cast<std::uint64_t>(added->get_int64());
  }

  json::object send_batch(const std::string& target, const std::string& body, bool* is_created = nullptr) const {
    try {
      return request_json(server_, "POST", target, body, is_created);
    } catch (const std::runtime_error& failure) {
      const std::string until = mode_ == Mode::check ? "; nothing was imported"
                                                     : "; fix the problem and start again: what was imported stays";
      std::string why = failure.what();
      if (why.ends_with('.')) why.pop_back();
      throw std::runtime_error(file_.path() + ", lines " + std::to_string(first_number_) + " to " +
                               std::to_string(last_number_) + ": " + why + until);
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error(file_.path() + ", line " + std::to_string(number_) + ": " + why +
                             "; nothing was imported");
  }

  const AdminServer& server_;
  const ExportFileReader& file_;
  const Mode mode_;
  Counts counts_;
  std::uint64_t added_ = 0;
  std::uint64_t number_ = 0;        // of the line that was read last
  std::uint64_t first_number_ = 0;  // of the first line of the batch
  std::uint64_t last_number_ = 0;   // of its last line
  std::string account_;
  std::string account_line_;
  bool is_sent_ = false;   // whether the server has the account
  bool has_keys_ = false;  // whether its keys have begun
  std::optional<std::string> collection_line_;
  std::int64_t items_left_ = 0;  // of that collection
  Batch batch_;
};

void check_key_secret(const AdminServer& server, const ExportFileReader& file) {
  const auto state = request_json(server, "GET", "/admin/state");
  if (required_text(state, "key_secret_sha256") == file.key_secret_sha256()) return;
  throw std::runtime_error(
      "the server's key secret is not the one of the keys in " + file.path() +
      ": start it with the key secret of the exported server, as --key-secret-file (on the edge: KEY_SECRET). If that "
      "secret was created in the state, \"tonearm-admin export FILE --key-secret-file OUT\" writes it; nothing was "
      "imported");
}

}  // namespace

std::string export_state(const AdminServer& server, const std::string& file, const std::string& key_secret_file) {
  const auto state = request_json(server, "GET", "/admin/state");
  const auto secret = fetch_key_secret(server, key_secret_file);
  ExportFileWriter writer(file, required_text(state, "key_secret_sha256"), now_ms());
  Export exported(server, writer);
  exported.append_take_downs();
  for_each_page(server, "/admin/accounts", [&](const json::object& page) {
    for (const auto& account : list_in(page, "accounts")) {
      if (!account.is_object()) refuse_response();
      exported.append_account(required_text(account.get_object(), "account"));
    }
  });
  if (secret) secret->publish();
  writer.finish();
  const Counts& counts = exported.counts();
  return json::serialize(json::object{{"file", file},
                                      {"bytes", writer.size()},
                                      {"take_downs", counts.take_downs},
                                      {"accounts", counts.accounts},
                                      {"collections", counts.collections},
                                      {"items", counts.items},
                                      {"keys", counts.keys}});
}

std::string import_state(const AdminServer& server, const std::string& file) {
  const ExportFileReader reader(file);
  ImportPass(server, reader, ImportPass::Mode::parse).run();
  check_key_secret(server, reader);
  ImportPass(server, reader, ImportPass::Mode::check).run();
  ImportPass run(server, reader, ImportPass::Mode::write);
  run.run();
  const Counts& counts = run.counts();
  return json::serialize(json::object{{"file", file},
                                      {"take_downs", counts.take_downs},
                                      {"accounts", counts.accounts},
                                      {"collections", counts.collections},
                                      {"items", counts.items},
                                      {"keys", counts.keys},
                                      {"added", run.added()}});
}

}  // namespace tonearm::native
