#pragma once
// Rows of third-party files, whatever their format: CSV (RFC 4180), TSV, JSON, JSON Lines, plain lines, a table of
// SQLite.

#include <boost/regex.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tonearm::builder {

/// Values by column. A scalar has one value, null and absent columns none, a JSON array as many as it holds. What lies
/// in an object inside is called by both names: "previews.preview-hq-mp3", "tags.name".
struct Row {
  std::map<std::string, std::vector<std::string>, std::less<>> cells;
  /// Where it stands: the line in a CSV file, else its number; counted from 1.
  std::uint64_t number = 0;
  /// What is wrong with the row as a whole; then it holds no cells.
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
  /// The columns that every whole row has; nothing where only the rows say them (JSON).
  virtual std::optional<std::vector<std::string>> columns() const { return std::nullopt; }
};

enum class RowFormat : std::uint8_t { csv, tsv, json, jsonl, lines, sqlite };

/// How a file holds its rows. Members that are empty or of another format have no meaning.
struct RowForm {
  RowFormat format = RowFormat::csv;
  /// csv, tsv: the names of the columns where the file has no header; lines: those of the pattern's groups.
  std::vector<std::string> columns;
  /// csv: rows of the header; the names of one column in them are joined with a full stop.
  std::size_t header_rows = 1;
  /// json: where the rows lie in an object ("data.sounds"), as an array or as the values of an object.
  std::string rows;
  /// lines: what a row looks like, what names the `heading` of the rows below it, what is no row at all.
  boost::regex pattern;
  std::optional<boost::regex> heading;
  std::optional<boost::regex> skip;
  /// sqlite
  std::string table;
};

/// `path` may end in .gz or .zst, but for SQLite. Throws Failure. REQUIRES: the form outlives the reader.
std::unique_ptr<RowReader> open_rows(const RowForm& form, const std::string& path);

/// Throws Failure for a header in which a name stands twice.
void refuse_repeated(const std::vector<std::string>& columns, const std::string& path);

/// The readers themselves, a file each.
std::unique_ptr<RowReader> open_csv(const RowForm& form, const std::string& path);
std::unique_ptr<RowReader> open_text_rows(const RowForm& form, const std::string& path);  // tsv, lines
std::unique_ptr<RowReader> open_json_rows(const RowForm& form, const std::string& path);
std::unique_ptr<RowReader> open_json_lines(const std::string& path);
std::unique_ptr<RowReader> open_sqlite_table(const std::string& path, const std::string& table);

}  // namespace tonearm::builder
