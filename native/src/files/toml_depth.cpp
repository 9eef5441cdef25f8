#include "files/toml_depth.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tonearm::native {
namespace {

/// Returns the end of the string that begins at `begin`. A string of one line ends with the line at the latest.
std::size_t string_end(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool is_long = text.compare(begin, 3, three) == 0;
  const auto is_end = [&](std::size_t at) {
    return is_long ? text.compare(at, 3, three) == 0 : text[at] == quote || text[at] == '\n';
  };
  auto at = begin + (is_long ? 3U : 1U);
  while (at < text.size() && !is_end(at)) at += quote == '"' && text[at] == '\\' ? 2U : 1U;
  if (at >= text.size()) return text.size();
  if (!is_long) return text[at] == quote ? at + 1 : at;
  at += 3;
  // Up to two quotes may precede the closing ones.
  for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
  return at;
}

/// Counts the levels at a position: those of the last header, of the open brackets, and of the current key.
class Levels {
 public:
  void open() {
    if (is_line_empty_ && open_.empty()) {  // a header, which replaces the last one
      header_ = 0;
      is_header_ = true;
    }
    open_.push_back(key_ + 1);
    outer_ += open_.back();
    key_ = 0;
    is_line_empty_ = false;
  }
  void close() {
    if (is_header_) header_ = std::max(header_, now());
    if (open_.empty()) return;
    outer_ -= open_.back();
    key_ = 0;
    open_.pop_back();
  }
  void dot() {
    ++key_;
    is_line_empty_ = false;
  }
  void next_item() { key_ = 0; }
  void next_line() {
    key_ = 0;
    if (is_header_) {
      open_.clear();
      outer_ = 0;
    }
    is_header_ = false;
    is_line_empty_ = true;
  }
  void other() { is_line_empty_ = false; }
  std::size_t now() const { return (is_header_ ? 0 : header_) + outer_ + key_ + 1; }

 private:
  std::size_t header_ = 0;
  std::vector<std::size_t> open_;  // the levels of each open bracket and the key before it
  std::size_t outer_ = 0;          // their sum
  std::size_t key_ = 0;            // dots
  bool is_header_ = false;
  bool is_line_empty_ = true;
};

}  // namespace

std::optional<std::uint64_t> line_nested_too_deeply(std::string_view text) {
  Levels levels;
  std::uint64_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    auto next = at + 1;
    if (c == '"' || c == '\'') {
      next = string_end(text, at);
      levels.other();
    } else if (c == '#') {
      next = std::min(text.find('\n', at), text.size());
    } else if (c == '[' || c == '{') {
      levels.open();
    } else if (c == ']' || c == '}') {
      levels.close();
    } else if (c == '.') {
      levels.dot();
    } else if (c == ',') {
      levels.next_item();
    } else if (c == '\n') {
      levels.next_line();
    } else if (c != ' ' && c != '\t' && c != '\r') {
      levels.other();
    }
    if (levels.now() > kTomlLevelsMax) return line;
    line += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                  text.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
    at = next;
  }
  return std::nullopt;
}

}  // namespace tonearm::native
