#include "input/rows.h"

#include <set>
#include <stdexcept>

#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {

const std::vector<std::string>& Row::all(std::string_view column) const {
  static const std::vector<std::string> kNone;
  const auto found = cells.find(column);
  return found == cells.end() ? kNone : found->second;
}

const std::string& Row::first(std::string_view column) const {
  static const std::string kNone;
  const auto& values = all(column);
  return values.empty() ? kNone : values.front();
}

void reject_duplicate_columns(const std::vector<std::string>& columns, const std::string& path) {
  std::set<std::string_view> names;
  for (const auto& name : columns) {
    if (name.empty() || names.insert(name).second) continue;
    throw Failure(path + ":1: the column \"" + text::quotable(name) + "\" occurs twice");
  }
}

std::string column_names(const std::vector<std::string>& columns) {
  constexpr std::size_t kBytesMax = 400;
  std::string names;
  for (const auto& column : columns) {
    names += (names.empty() ? "" : ", ") + column;
    if (names.size() > kBytesMax) return text::valid_utf8(names.substr(0, kBytesMax)) + " ...";
  }
  return text::valid_utf8(names);
}

std::unique_ptr<RowReader> open_rows(const RowLayout& layout, const std::string& path) {
  switch (layout.format) {
    case RowFormat::csv:
      return open_csv(layout, path);
    case RowFormat::tsv:
    case RowFormat::lines:
      return open_text_rows(layout, path);
    case RowFormat::json:
      return open_json_rows(layout, path);
    case RowFormat::jsonl:
      return open_json_lines(path);
    case RowFormat::sqlite:
      return open_sqlite_table(path, layout.table);
  }
  throw std::logic_error("no such row format");
}

}  // namespace tonearm::builder
