#include "api/answers/state_lines.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <utility>

#include "api/requests/body.h"
#include "api/requests/body_fields.h"
#include "domain/api_key.h"
#include "table/state_lines.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

namespace json = boost::json;
using std::string_view;

// ---- Error messages

Error invalid(std::string message) { return {ErrorCode::invalid_request, std::move(message)}; }
Error null_character() { return invalid("A text holds the character U+0000, which no database can hold."); }
Error other_account() { return invalid("It is the account of another path."); }
Error second_account() { return invalid("It is the second account."); }
Error first_is_no_account() { return invalid("The first line must be that of an account."); }
Error first_is_no_collection() { return invalid("The first line must be that of a collection."); }
Error wrong_key_id() { return invalid("key_id must be that of a key of the account."); }
Error wrong_session() { return invalid("session must be true for ids with ses_."); }
Error wrong_expiry() { return invalid("expires_ms stands with each session key alone."); }
Error wrong_hash() { return invalid("sha256 must be 64 of 0-9 and a-f."); }
Error wrong_collection_id() { return invalid("id must be col_ and 26 characters of a-z2-7."); }
Error error_of_line(std::size_t index, const Error& error) {
  Error of_line = invalid("Line " + std::to_string(index + 1) + " of the request: " + error.message);
  of_line.parameter = "lines[" + std::to_string(index) + ']';
  return of_line;
}

// ---- Lines

/// REQUIRES: the number is not negative.
std::size_t to_size(std::int64_t number) { return static_cast<std::size_t>(number); }

/// Not every database can store this character in a text.
bool has_null_character(const json::object& object) {
  return std::any_of(object.begin(), object.end(), [](const auto& member) {
    const auto* text = member.value().if_string();
    return text != nullptr && text->find('\0') != json::string::npos;
  });
}

string_view kind_of(const json::object& object) {
  const auto* kind = object.if_contains("type");
  return kind != nullptr && kind->is_string() ? string_view(kind->get_string()) : string_view();
}

template <class Line>
Result<Line> read_line(const json::object& object, const table::Body<Line>& type) {
  if (auto error = check_fields(object, type)) return *std::move(error);
  if (has_null_character(object)) return null_character();
  Line line;
  table::erased::fill(&line, type, object);
  return line;
}

bool is_digest(string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 2 * Sha256().size() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Reads lines one after the other. Returns the first error of each line.
class KeyLineReader {
 public:
  explicit KeyLineReader(string_view account) : account_(account) {}

  std::optional<Error> read(const json::object& object) {
    return kind_of(object) == table::kAccountLineName ? read_account(object) : read_key_line(object);
  }
  state::KeysToImport result() && { return std::move(result_); }

 private:
  std::optional<Error> read_account(const json::object& object) {
    const auto line = read_line(object, table::kAccountLineBody);
    if (!line) return line.error();
    if (line->account != account_) return other_account();
    if (!result_.account.account.empty()) return second_account();
    result_.account = {line->account, line->plan, line->created_ms, 0};
    return std::nullopt;
  }

  std::optional<Error> read_key_line(const json::object& object) {
    if (result_.account.account.empty()) return first_is_no_account();
    const auto line = read_line(object, table::kKeyLineBody);
    if (!line) return line.error();
    const auto locator = parse_key_id(line->key_id);
    if (!locator || make_account_id(*locator) != account_) return wrong_key_id();
    if (line->key_id.starts_with("ses_") != line->session) return wrong_session();
    if (line->session != line->expires_ms.has_value()) return wrong_expiry();
    if (!is_digest(line->sha256)) return wrong_hash();
    result_.keys.push_back(
        {{line->key_id, line->session, line->created_ms, line->expires_ms, line->revoked_ms}, line->sha256});
    return std::nullopt;
  }

  string_view account_;
  state::KeysToImport result_;
};

class CollectionLineReader {
 public:
  std::optional<Error> read(const json::object& object) {
    return kind_of(object) == table::kCollectionLineName ? read_collection(object) : read_item(object);
  }
  std::vector<state::CollectionToImport> result() && { return std::move(result_); }

 private:
  std::optional<Error> read_collection(const json::object& object) {
    const auto line = read_line(object, table::kCollectionLineBody);
    if (!line) return line.error();
    if (!is_collection_id(line->id)) return wrong_collection_id();
    result_.push_back({{line->id, line->name, line->commercial, line->revision, line->created_s, line->updated_s, {}},
                       line->change_order,
                       to_size(line->track_count),
                       {}});
    return std::nullopt;
  }

  std::optional<Error> read_item(const json::object& object) {
    if (result_.empty()) return first_is_no_collection();
    auto line = read_line(object, table::kItemLineBody);
    if (!line) return line.error();
    line->item.has_receipt = !line->item.receipt.empty();
    result_.back().items.push_back({to_size(line->position), std::move(line->item)});
    return std::nullopt;
  }

  std::vector<state::CollectionToImport> result_;
};

template <class Lines>
std::optional<Error> read_lines(const std::vector<std::string>& lines, Lines& reader) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto object = parse_line(lines[i]);
    const auto error = object ? reader.read(*object) : std::optional(object.error());
    if (error) return error_of_line(i, *error);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> write_lines(const state::ExportedKeys& exported) {
  const auto& account = exported.account;
  std::vector<std::string> lines{
      to_json(table::kAccountLineType, {{}, account.account, account.plan, account.created_ms})};
  for (const auto& [info, key_sha256] : exported.keys) {
    lines.push_back(
        to_json(table::kKeyLineType,
                {{}, info.key_id, key_sha256, info.session, info.created_ms, info.expires_ms, info.revoked_ms}));
  }
  return lines;
}

std::vector<std::string> write_lines(const state::ExportedCollections& exported) {
  std::vector<std::string> lines;
  for (const auto& [collection, change_order] : exported.collections) {
    lines.push_back(to_json(table::kCollectionLineType, {{},
                                                         collection.id,
                                                         collection.name,
                                                         collection.commercial,
                                                         collection.revision,
                                                         collection.created_s,
                                                         collection.updated_s,
                                                         change_order,
                                                         static_cast<std::int64_t>(collection.items.size())}));
    for (std::size_t i = 0; i < collection.items.size(); ++i) {
      lines.push_back(to_json(table::kItemLineType, {{}, static_cast<std::int64_t>(i), collection.items[i]}));
    }
  }
  return lines;
}

Result<state::KeysToImport> read_keys(const std::vector<std::string>& lines, std::string_view account) {
  KeyLineReader reader(account);
  if (auto error = read_lines(lines, reader)) return *std::move(error);
  return std::move(reader).result();
}

Result<std::vector<state::CollectionToImport>> read_collections(const std::vector<std::string>& lines) {
  CollectionLineReader reader;
  if (auto error = read_lines(lines, reader)) return *std::move(error);
  return std::move(reader).result();
}

}  // namespace tonearm::api
