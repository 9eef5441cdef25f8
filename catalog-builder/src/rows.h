#pragma once
// Rows of third-party files, whatever their format: CSV (RFC 4180), a JSON array of objects, a table of SQLite.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tonearm::builder {

/// Values by column. A scalar has one value, null and absent columns none, a JSON array as many as it holds.
struct Row {
  std::map<std::string, std::vector<std::string>, std::less<>> cells;
  /// Where it stands: the line in a CSV file, else its number; counted from 1.
  std::uint64_t number = 0;
  /// What is wrong with the row as a whole; it holds no cells then.
  std::optional<std::string> broken;

  /// The values of the column, and the first of them; empty where there is none.
  const std::vector<std::string>& all(std::string_view column) const;
  const std::string& first(std::string_view column) const;
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  /// Throws Failure when the file cannot be read further.
  virtual bool next(Row& row) = 0;
};

enum class RowFormat : std::uint8_t { csv, json, sqlite };

/// `path` may end in .gz or .zst, but for SQLite; `table` is SQLite's. Throws Failure.
std::unique_ptr<RowReader> open_rows(RowFormat format, const std::string& path, const std::string& table);

/// The readers themselves, a file each.
std::unique_ptr<RowReader> open_csv(const std::string& path);
std::unique_ptr<RowReader> open_json_array(const std::string& path);
std::unique_ptr<RowReader> open_sqlite_table(const std::string& path, const std::string& table);

}  // namespace tonearm::builder
