#pragma once
// Parses a Range field with a single byte range (RFC 9110, 14). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace tonearm::web {

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t size = 0;  // at least 1

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

enum class NoRange : std::uint8_t {
  whole,            // malformed, another unit, or several ranges: the whole file is sent
  not_satisfiable,  // 416
};

/// `value` is the Range field, `size` the size of the representation.
std::variant<ByteRange, NoRange> read_range(std::string_view value, std::uint64_t size);

}  // namespace tonearm::web
