#include "rows.h"

#include <stdexcept>

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

std::unique_ptr<RowReader> open_rows(RowFormat format, const std::string& path, const std::string& table) {
  switch (format) {
    case RowFormat::csv:
      return open_csv(path);
    case RowFormat::json:
      return open_json_array(path);
    case RowFormat::sqlite:
      return open_sqlite_table(path, table);
  }
  throw std::logic_error("no such row format");
}

}  // namespace tonearm::builder
