// Rows that are lines: values separated by tabs, or the groups of a pattern.

#include "input/line_reader.h"
#include "input/rows.h"
#include "text/split.h"
#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

/// Reads a line of bounded length, without its CR.
class TextReader : public RowReader {
 public:
  explicit TextReader(const std::string& path) : path_(path), lines_(path) {}

 protected:
  bool read_line(Row& row) {
    if (!lines_.next()) return false;
    row = Row{};
    row.number = lines_.number();
    text_ = lines_.line();
    while (!text_.empty() && text_.back() == '\r') text_.pop_back();
    if (lines_.too_long()) row.broken = "is longer than 1 MiB";
    return true;
  }

  std::string path_;
  LineReader lines_;
  std::string text_;
};

/// Quotes are ordinary characters; fields after the last column are further values of it.
class TsvReader final : public TextReader {
 public:
  TsvReader(const RowLayout& layout, const std::string& path) : TextReader(path), columns_(layout.columns) {
    Row header;
    if (!columns_.empty()) return;
    if (!read_line(header)) throw Failure(path + ": is empty: a TSV file begins with its header");
    for (const auto name : text::split(text_, '\t')) columns_.emplace_back(name);
    reject_duplicate_columns(columns_, path);
  }

  std::optional<std::vector<std::string>> columns() const override { return columns_; }

  bool next(Row& row) override {
    do {
      if (!read_line(row)) return false;
    } while (text_.empty() && !row.broken);
    if (row.broken) return true;
    const auto fields = text::split(text_, '\t');
    if (fields.size() < columns_.size()) {
      row.broken = "has " + std::to_string(fields.size()) + " fields, the header " + std::to_string(columns_.size());
      return true;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto& values = row.cells[columns_[std::min(i, columns_.size() - 1)]];
      if (!fields[i].empty()) values.emplace_back(fields[i]);
    }
    return true;
  }

 private:
  std::vector<std::string> columns_;
};

class PatternReader final : public TextReader {
 public:
  PatternReader(const RowLayout& layout, const std::string& path) : TextReader(path), layout_(layout) {}

  std::optional<std::vector<std::string>> columns() const override {
    auto names = layout_.columns;
    if (layout_.heading) names.emplace_back("heading");
    return names;
  }

  bool next(Row& row) override {
    while (read_line(row)) {
      if (row.broken) return true;
      try {
        if (read_row(row)) return true;
      } catch (const std::runtime_error&) {  // Boost.Regex gave up on a match
        row.cells.clear();
        row.broken = "is too complex for the patterns of its layout";
        return true;
      }
    }
    return false;
  }

 private:
  /// Returns false if the line is not a row.
  bool read_row(Row& row) {
    boost::smatch match;
    if (layout_.skip && boost::regex_search(text_, *layout_.skip)) return false;
    if (layout_.heading && boost::regex_search(text_, match, *layout_.heading)) {
      heading_ = match[1];
      return false;
    }
    read_columns(row);
    return true;
  }

  void read_columns(Row& row) const {
    boost::smatch match;
    if (!boost::regex_search(text_, match, layout_.pattern)) {
      row.broken = "does not match the pattern of a row: " + text::quotable(text_);
      return;
    }
    for (std::size_t i = 0; i < layout_.columns.size() && i + 1 < match.size(); ++i) {
      if (match[static_cast<int>(i) + 1].length() != 0)
        row.cells[layout_.columns[i]] = {match[static_cast<int>(i) + 1]};
    }
    if (!heading_.empty()) row.cells["heading"] = {heading_};
  }

  const RowLayout& layout_;
  std::string heading_;
};

}  // namespace

std::unique_ptr<RowReader> open_text_rows(const RowLayout& layout, const std::string& path) {
  if (layout.format == RowFormat::tsv) return std::make_unique<TsvReader>(layout, path);
  return std::make_unique<PatternReader>(layout, path);
}

}  // namespace tonearm::builder
