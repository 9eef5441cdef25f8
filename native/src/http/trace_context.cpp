#include "http/trace_context.h"

#include <algorithm>

namespace tonearm::native {
namespace {

constexpr std::string_view kFormat = "00-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
constexpr std::size_t kTraceOffset = 3;
constexpr std::size_t kTraceSize = 32;
constexpr std::size_t kParentOffset = 36;
constexpr std::size_t kParentSize = 16;

bool matches(char c, char pattern) {
  if (pattern != 'h') return c == pattern;
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool is_zero(std::string_view id) { return id.find_first_not_of('0') == std::string_view::npos; }

bool is_traceparent(std::string_view value) {
  return std::equal(value.begin(), value.end(), kFormat.begin(), kFormat.end(), matches) &&
         !is_zero(value.substr(kTraceOffset, kTraceSize)) && !is_zero(value.substr(kParentOffset, kParentSize));
}

}  // namespace

std::string_view traceparent(const Headers& headers) {
  std::string_view value;
  for (const Header& header : headers) {
    if (!is_named(header, "traceparent")) continue;
    if (!value.empty()) return {};
    value = header.value;
  }
  return is_traceparent(value) ? value : std::string_view{};
}

}  // namespace tonearm::native
