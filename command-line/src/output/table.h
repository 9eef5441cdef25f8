#pragma once
// Formats rows of texts as a table that fits the screen. Widths depend on the locale: LC_CTYPE must be UTF-8.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output/screen.h"

namespace tonearm::cli {

/// Returns the width of `text` on a terminal in columns. REQUIRES: UTF-8.
std::size_t display_width(std::string_view text);
/// Truncates a text to a width, with an ellipsis at its end. REQUIRES: UTF-8.
std::string truncated(std::string_view text, std::size_t width);

enum class Shrink : std::uint8_t { never, when_needed };

struct Column {
  std::string_view heading;
  Shrink shrink = Shrink::when_needed;
};

struct Cell {
  Cell() = default;
  // Implicit, so that a row can be a list of texts.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Cell(std::string words, Color its_color = Color::none) : text(std::move(words)), color(its_color) {}

  std::string text;  // untrusted; Table escapes control characters
  Color color = Color::none;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// REQUIRES: a cell for each column.
  void add(std::vector<Cell> row);
  /// Adds a line of text across all columns before the next row. It does not widen the columns.
  void add_line(std::string_view untrusted);
  bool is_empty() const { return rows_.empty(); }
  /// Returns headings, rows and lines. Shrinks the widest columns that may shrink until the table fits.
  std::string text(const Screen& screen) const;

 private:
  std::vector<std::size_t> widths(std::size_t width_max) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::pair<std::size_t, std::string>> lines_;  // the row that each precedes, ascending
};

}  // namespace tonearm::cli
