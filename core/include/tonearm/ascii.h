#pragma once
// ASCII characters and hexadecimal text, as protocols and file formats use them, without locale or Unicode (see
// text/unicode.h). Bytes beyond ASCII are neither letters nor digits, and have no case. Pure, thread-safe.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tonearm::ascii {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }

/// Returns whether a text consists of one or more digits.
constexpr bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

std::string to_lower(std::string_view text);

constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

/// Returns 0 to 15, or -1 if `c` is not a hexadecimal digit of either case.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

inline constexpr std::string_view kLowerHexDigits = "0123456789abcdef";
inline constexpr std::string_view kUpperHexDigits = "0123456789ABCDEF";

/// Appends the two digits of a byte.
void append_hex(std::string& out, std::uint8_t byte, std::string_view digits = kLowerHexDigits);

/// Writes two lower-case digits for each byte.
std::string to_hex(std::span<const std::uint8_t> bytes);
std::string to_hex(std::string_view bytes);

}  // namespace tonearm::ascii
