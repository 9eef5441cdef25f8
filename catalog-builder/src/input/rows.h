#pragma once
// Reads rows of third-party files in any format: CSV (RFC 4180), TSV, JSON, JSON Lines, plain lines, SQLite tables.

#include <boost/regex.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tonearm::builder {

/// Values by column. A scalar is one value, null and absent columns have none, a JSON array has one value for each
/// element. Columns of nested objects have dotted names: "previews.preview-hq-mp3", "tags.name".
struct Row {
  std::map<std::string, std::vector<std::string>, std::less<>> cells;
  /// The line in a CSV file, otherwise the number of the row; from 1.
  std::uint64_t number = 0;
  /// Why the whole row is malformed; `cells` is then empty.
  std::optional<std::string> broken;

  /// The values of the column, and its first value; empty if there is none.
  const std::vector<std::string>& all(std::string_view column) const;
  const std::string& first(std::string_view column) const;
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  /// Reads the next row; false at the end. Throws Failure if the file cannot be read.
  virtual bool next(Row& row) = 0;
  /// The columns of every well-formed row; nullopt if each row names its own (JSON).
  virtual std::optional<std::vector<std::string>> columns() const { return std::nullopt; }
};

enum class RowFormat : std::uint8_t { csv, tsv, json, jsonl, lines, sqlite };

/// How a file contains rows. Members of other formats are ignored.
struct RowLayout {
  RowFormat format = RowFormat::csv;
  /// csv, tsv: the names of the columns if the file has no header; lines: those of the pattern's groups.
  std::vector<std::string> columns;
  /// csv: the number of header rows; the names of a column in them are joined with full stops.
  std::size_t header_rows = 1;
  /// json: the path of the rows in an object ("data.sounds"); they are an array or the values of an object.
  std::string rows;
  /// lines: the patterns of a row, of a heading for the rows below it, and of lines to skip.
  boost::regex pattern;
  std::optional<boost::regex> heading;
  std::optional<boost::regex> skip;
  /// sqlite
  std::string table;
};

/// Opens a file; all formats but SQLite may be compressed (.gz, .zst). Throws Failure. REQUIRES: the layout outlives
/// the reader.
std::unique_ptr<RowReader> open_rows(const RowLayout& layout, const std::string& path);

/// Throws Failure if a header repeats a name.
void reject_duplicate_columns(const std::vector<std::string>& columns, const std::string& path);

/// Returns the names of columns for a message, separated by commas: about the first 400 bytes.
std::string column_names(const std::vector<std::string>& columns);

/// The readers of each format.
std::unique_ptr<RowReader> open_csv(const RowLayout& layout, const std::string& path);
std::unique_ptr<RowReader> open_text_rows(const RowLayout& layout, const std::string& path);  // tsv, lines
std::unique_ptr<RowReader> open_json_rows(const RowLayout& layout, const std::string& path);
std::unique_ptr<RowReader> open_json_lines(const std::string& path);
std::unique_ptr<RowReader> open_sqlite_table(const std::string& path, const std::string& table);

}  // namespace tonearm::builder
