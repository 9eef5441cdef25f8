#include "output/table.h"

#include <algorithm>
#include <cwchar>
#include <numeric>
#include <utility>

#include "text/unicode.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kColumnWidthMin = 6;
constexpr std::string_view kEllipsis = "…";

std::size_t width_of(char32_t c) {
  const int width = ::wcwidth(static_cast<wchar_t>(c));
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) width += width_of(text::next_code_point(text, at));
  return width;
}

std::string truncated(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t used = 1;  // the ellipsis
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size(); end = at) {
    used += width_of(text::next_code_point(text, at));
    if (used > width) break;
  }
  return std::string(text.substr(0, end)) + std::string(kEllipsis);
}

void Table::add(std::vector<Cell> row) {
  for (auto& cell : row) cell.text = terminal::line(cell.text);
  rows_.push_back(std::move(row));
}

void Table::add_line(std::string_view untrusted) { lines_.emplace_back(rows_.size(), terminal::line(untrusted)); }

std::vector<std::size_t> Table::widths(std::size_t width_max) const {
  std::vector<std::size_t> widths;
  widths.reserve(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].heading);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i].text));
    widths.push_back(width);
  }
  const std::size_t gaps = kGap * (columns_.size() - 1);
  while (width_max > 0 && std::accumulate(widths.begin(), widths.end(), gaps) > width_max) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool may_shrink = columns_[i].shrink == Shrink::when_needed && widths[i] > kColumnWidthMin;
      if (may_shrink && (widest == columns_.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == columns_.size()) break;
    --widths[widest];
  }
  return widths;
}

std::string Table::text(const Screen& screen) const {
  const auto widths = this->widths(screen.width);
  std::string out;
  const auto write_row = [&](const std::vector<Cell>& row) {
    std::string gap;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto shown = truncated(row[i].text, widths[i]);
      if (!shown.empty()) out += std::exchange(gap, {}) + colored(screen, row[i].color, shown);
      gap.append(widths[i] - std::min(display_width(shown), widths[i]) + kGap, ' ');
    }
    out += '\n';
  };
  std::vector<Cell> headings;
  headings.reserve(columns_.size());
  for (const auto& column : columns_) headings.emplace_back(std::string(column.heading), Color::heading);
  write_row(headings);
  auto line = lines_.begin();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (; line != lines_.end() && line->first == i; ++line) {
      out += (screen.width == 0 ? line->second : truncated(line->second, screen.width)) + '\n';
    }
    write_row(rows_[i]);
  }
  return out;
}

}  // namespace tonearm::cli
