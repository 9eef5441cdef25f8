#pragma once
// Splits text at a separator. Pure, thread-safe.

#include <string_view>
#include <vector>

namespace tonearm::text {

/// Returns the parts between separators, including empty ones; text without a separator is one part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace tonearm::text
