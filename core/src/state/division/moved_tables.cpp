#include "state/division/moved_tables.h"

#include <algorithm>
#include <charconv>
#include <variant>
#include <vector>

namespace tonearm::state {

namespace {

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

// Not moved: `license_checks` and `collection_tracks`, which are computed again. `accounts` and `call_counters` are in
// `account_moves` meanwhile. `daily_usage` follows the partitions, whose last rows it counts.
const std::array<MovedTable, 6>& account_tables() {
  static const std::array<MovedTable, 6> tables{{
      {"api_keys", "key_id, key_sha256, is_session, created_ms, expires_ms, revoked_ms", 1},
      {"collections", "collection_id, name, commercial, revision, track_count, created_s, updated_s, change_order", 1},
      {"collection_items",
       "collection_id, track_id, place, note, chips, modification_text, added_s, license_id, commercial,"
       " credit_required, share_alike, attribution, license_name, license_url, license_status, credit_line, title,"
       " artist, source_page, catalog_version, recorded_s, credit_as, receipt",
       2},
      {"collection_creations", "created_ms, collection_id", 2},
      {"collection_changes", "changes", 0},
      {"creations", "key_sha256, request, made_id, made_ms", 1},
  }};
  return tables;
}
const MovedTable& totals_table() {
  static const MovedTable table{"daily_usage", "day_began_ms, calls, succeeded, first_party, records", 1};
  return table;
}

std::string first_names(std::string_view columns, std::size_t count) {
  std::string names;
  std::size_t at = 0;
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t end = std::min(columns.find(',', at), columns.size());
    names += ", " + std::string(columns.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

std::string placeholders(std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index) {
    text += (index == 0 ? "?" : ", ?") + std::to_string(first + index);
  }
  return text;
}

std::string write_position(const Position& position) {
  std::string text = position.table + '\n' + std::to_string(position.day);
  for (const sql::Value& value : position.key) {
    text += '\n';
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      text += 'i' + std::to_string(*number);
    } else {
      text += 't' + std::get<std::string>(value);
    }
  }
  return text;
}

Position read_position(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  Position position;
  position.table = lines[0];
  if (lines.size() > 1) position.day = number_of(lines[1]);
  for (std::size_t index = 2; index < lines.size(); ++index) {
    const std::string_view value = lines[index].substr(1);
    if (lines[index].starts_with('i')) {
      position.key.emplace_back(number_of(value));
    } else {
      position.key.emplace_back(std::string(value));
    }
  }
  return position;
}

}  // namespace tonearm::state
