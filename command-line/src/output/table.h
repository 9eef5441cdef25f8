#pragma once
// Rows of texts as a table that fits a screen. Pure but for the locale: widths are those of LC_CTYPE, which has to be
// one of UTF-8.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output/screen.h"

namespace tonearm::cli {

/// Columns that `text` takes on a terminal. REQUIRES: UTF-8.
std::size_t display_width(std::string_view text);
/// At most so many columns; what is cut off ends with an ellipsis. REQUIRES: UTF-8.
std::string shortened(std::string_view text, std::size_t width);

enum class Shrink : std::uint8_t { never, when_needed };

struct Column {
  std::string_view heading;
  Shrink shrink = Shrink::when_needed;
};

struct Cell {
  Cell() = default;
  // A row is a list of texts.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Cell(std::string words, Color its_color = Color::none) : text(std::move(words)), color(its_color) {}

  std::string text;  // as others wrote it: controls are escaped here
  Color color = Color::none;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// REQUIRES: a cell for each column.
  void add(std::vector<Cell> row);
  bool is_empty() const { return rows_.empty(); }
  /// Headings, then rows; the widest columns that may shrink do so until the rest fits.
  std::string text(const Screen& screen) const;

 private:
  std::vector<std::size_t> widths(std::size_t most) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tonearm::cli
