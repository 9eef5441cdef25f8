#include "text/csv.h"

#include <string_view>

#include "text/unicode.h"

namespace tonearm::text {
namespace {

using std::string_view;

/// Removes control characters and bidi overrides, which could make a cell look like another one. Keeps tabs and line
/// breaks.
std::string cell_text(string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    const bool is_plain = !is_control(c) && !is_bidi_override(c);
    if (is_plain || c == '\t' || c == '\n' || c == '\r') {
      append_utf8(kept, c);
    } else if (is_line_break(c)) {
      kept += '\n';
    }
  }
  return kept;
}

std::string csv_cell(string_view value) {
  constexpr string_view kFormula = "=+-@\t\r";
  constexpr string_view kQuoted = "\",\r\n";
  std::string cell = cell_text(value);
  if (!cell.empty() && kFormula.find(cell.front()) != string_view::npos) cell.insert(0, 1, '\'');
  if (cell.find_first_of(kQuoted) == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace

void append_csv_row(std::string& csv, std::span<const std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) csv += ',';
    csv += csv_cell(cells[i]);
  }
  csv += "\r\n";
}

}  // namespace tonearm::text
