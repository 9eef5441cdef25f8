#include "files/byte_range.h"

#include <algorithm>
#include <charconv>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  if (!ascii::is_digits(text)) return std::nullopt;
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  // A number that does not fit is larger than any file.
  return read.ec == std::errc() ? value : UINT64_MAX;
}

}  // namespace

std::variant<ByteRange, NoRange> read_range(std::string_view value, std::uint64_t size) {
  const auto equals = value.find('=');
  if (equals == std::string_view::npos) return NoRange::whole;
  if (!ascii::equals_ignoring_case(http_fields::trimmed(value.substr(0, equals)), "bytes")) return NoRange::whole;
  const auto spec = http_fields::trimmed(value.substr(equals + 1));
  const auto dash = spec.find('-');
  if (dash == std::string_view::npos || spec.find(',') != std::string_view::npos) return NoRange::whole;
  const auto first = number(spec.substr(0, dash));
  const auto last = number(spec.substr(dash + 1));
  if (dash == 0) {  // a suffix: the last N bytes
    if (!last) return NoRange::whole;
    if (*last == 0 || size == 0) return NoRange::not_satisfiable;
    const auto count = std::min(*last, size);
    return ByteRange{size - count, count};
  }
  const bool is_open = dash + 1 == spec.size();
  if (!first || (!last && !is_open) || (last && *last < *first)) return NoRange::whole;
  if (*first >= size) return NoRange::not_satisfiable;
  const auto end = is_open ? size - 1 : std::min(*last, size - 1);
  return ByteRange{*first, end - *first + 1};
}

}  // namespace tonearm::web
