#include "report/report_lines.h"

#include <algorithm>
#include <cstdint>

namespace tonearm::builder {
namespace {

constexpr std::size_t kLevels = 2;
/// Members whose values contain lists of any length.
constexpr std::size_t kLevelsOfNested = 4;

std::size_t string_end(std::string_view json, std::size_t begin) {
  auto at = begin + 1;
  while (json[at] != '"') at += json[at] == '\\' ? 2U : 1U;
  return at + 1;
}

}  // namespace

std::string in_lines(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  std::size_t levels = kLevels;
  const auto break_line = [&] { out.append("\n").append(2 * depth, ' '); };
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const auto end = c == '"' ? string_end(json, at) : at + 1;
    const auto token = json.substr(at, end - at);
    at = end;
    if (c == '"' && depth == 1 && at < json.size() && json[at] == ':') {
      levels = token == "\"folders\"" || token == "\"policy_unmatched\"" ? kLevelsOfNested : kLevels;
    }
    const bool closes = c == '}' || c == ']';
    const bool is_empty = closes && (out.back() == '{' || out.back() == '[');
    if (closes) --depth;
    if (closes && !is_empty && depth < levels) break_line();
    out += token;
    if (c == '{' || c == '[') ++depth;
    const bool opens = (c == '{' || c == '[') && at < json.size() && json[at] != '}' && json[at] != ']';
    if ((opens || c == ',') && depth <= levels) break_line();
  }
  return out;
}

}  // namespace tonearm::builder
