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

Error invalid(std::string message) { return {ErrorCode::invalid_request, std::move(message)}; }

/// A number that was checked not to be negative.
std::size_t size_of(std::int64_t number) { return static_cast<std::size_t>(number); }

/// Databases hold no such character in a text.
bool holds_null_character(const json::object& object) {
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
  if (holds_null_character(object)) return invalid("A text holds the character U+0000, which no database can hold.");
  Line line;
  table::erased::fill(&line, type, object);
  return line;
}

bool is_digest(string_view text) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 2 * Sha256().size() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Takes lines one after the other. Each gives the first error of its line.
class KeyLines {
 public:
  explicit KeyLines(string_view account) : account_(account) {}

  std::optional<Error> take(const json::object& object) {
    return kind_of(object) == table::kAccountLineName ? take_account(object) : take_key(object);
  }
  state::KeysToImport take_result() { return std::move(result_); }

 private:
  std::optional<Error> take_account(const json::object& object) {
    const auto line = read_line(object, table::kAccountLineBody);
    if (!line) return line.error();
    if (line->account != account_) return invalid("It is the account of another path.");
    if (!result_.account.account.empty()) return invalid("It is the second account.");
    result_.account = {line->account, line->plan, line->created_ms, 0};
    return std::nullopt;
  }

  std::optional<Error> take_key(const json::object& object) {
    if (result_.account.account.empty()) return invalid("The first line must be that of an account.");
    const auto line = read_line(object, table::kKeyLineBody);
    if (!line) return line.error();
    const auto locator = parse_key_id(line->key_id);
    if (!locator || make_account_id(*locator) != account_)
      return invalid("key_id must be that of a key of the account.");
    if (line->key_id.starts_with("ses_") != line->session) return invalid("session must be true for ids with ses_.");
    if (line->session != line->expires_ms.has_value()) return invalid("expires_ms stands with each session key alone.");
    if (!is_digest(line->sha256)) return invalid("sha256 must be 64 of 0-9 and a-f.");
    result_.keys.push_back(
        {{line->key_id, line->session, line->created_ms, line->expires_ms, line->revoked_ms}, line->sha256});
    return std::nullopt;
  }

  string_view account_;
  state::KeysToImport result_;
};

class CollectionLines {
 public:
  std::optional<Error> take(const json::object& object) {
    return kind_of(object) == table::kCollectionLineName ? take_collection(object) : take_item(object);
  }
  std::vector<state::CollectionToImport> take_result() { return std::move(result_); }

 private:
  std::optional<Error> take_collection(const json::object& object) {
    const auto line = read_line(object, table::kCollectionLineBody);
    if (!line) return line.error();
    if (!is_collection_id(line->id)) return invalid("id must be col_ and 26 characters of a-z2-7.");
    result_.push_back({{line->id, line->name, line->commercial, line->revision, line->created_s, line->updated_s, {}},
                       line->change_order,
                       size_of(line->track_count),
                       {}});
    return std::nullopt;
  }

  std::optional<Error> take_item(const json::object& object) {
    if (result_.empty()) return invalid("The first line must be that of a collection.");
    auto line = read_line(object, table::kItemLineBody);
    if (!line) return line.error();
    result_.back().items.push_back({size_of(line->position), std::move(line->item)});
    return std::nullopt;
  }

  std::vector<state::CollectionToImport> result_;
};

template <class Lines>
std::optional<Error> take_all(const std::vector<std::string>& lines, Lines& reader) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto object = parse_line(lines[i]);
    auto error = object ? reader.take(*object) : std::optional(object.error());
    if (!error) continue;
    return invalid("Line " + std::to_string(i + 1) + " of the request: " + error->message);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> lines_of(const state::ExportedKeys& exported) {
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

std::vector<std::string> lines_of(const state::ExportedCollections& exported) {
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
  KeyLines reader(account);
  if (auto error = take_all(lines, reader)) return *std::move(error);
  return reader.take_result();
}

Result<std::vector<state::CollectionToImport>> read_collections(const std::vector<std::string>& lines) {
  CollectionLines reader;
  if (auto error = take_all(lines, reader)) return *std::move(error);
  return reader.take_result();
}

}  // namespace tonearm::api
