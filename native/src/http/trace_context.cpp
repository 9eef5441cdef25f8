#include "http/trace_context.h"

#include <algorithm>

namespace tonearm::native {
namespace {

constexpr std::string_view kForm = "00-hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh-hhhhhhhhhhhhhhhh-hh";
constexpr std::size_t kTraceAt = 3;
constexpr std::size_t kTraceSize = 32;
constexpr std::size_t kParentAt = 36;
constexpr std::size_t kParentSize = 16;

bool fits(char given, char form) {
  if (form != 'h') return given == form;
  return (given >= '0' && given <= '9') || (given >= 'a' && given <= 'f');
}

bool is_zero(std::string_view id) { return id.find_first_not_of('0') == std::string_view::npos; }

bool is_traceparent(std::string_view value) {
  return std::equal(value.begin(), value.end(), kForm.begin(), kForm.end(), fits) &&
         !is_zero(value.substr(kTraceAt, kTraceSize)) && !is_zero(value.substr(kParentAt, kParentSize));
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
