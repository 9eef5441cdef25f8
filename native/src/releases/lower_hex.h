#pragma once
// Bytes as hex digits in files that are signed or hashed. Only lower-case digits are accepted, so that bytes have one
// form.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/ascii.h"

namespace tonearm::native {

/// Empty: the text has other characters, or an odd number of them.
inline std::optional<std::string> bytes_of_lower_hex(std::string_view hex) {
  if (hex.size() % 2 != 0 || hex.find_first_not_of(ascii::kLowerHexDigits) != std::string_view::npos) return {};
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(ascii::hex_value(hex[i]) * 16 + ascii::hex_value(hex[i + 1]));
  }
  return bytes;
}

/// Returns an array of bytes. Empty: the text is not the hex form of so many bytes.
template <class Bytes>
std::optional<Bytes> array_of_lower_hex(std::string_view hex) {
  Bytes array{};
  const auto bytes = bytes_of_lower_hex(hex);
  if (!bytes || bytes->size() != array.size()) return {};
  std::copy(bytes->begin(), bytes->end(), array.begin());
  return array;
}

}  // namespace tonearm::native
