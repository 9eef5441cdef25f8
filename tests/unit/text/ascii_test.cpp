#include "tonearm/ascii.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm::ascii {

TEST_CASE("Only ASCII letters and digits are recognized") {
  int letters = 0;
  int digits = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    letters += is_letter(c) ? 1 : 0;
    digits += is_digit(c) ? 1 : 0;
    CHECK(is_alphanumeric(c) == (is_letter(c) || is_digit(c)));
    CHECK((to_lower(c) == c || (is_upper(c) && to_upper(to_lower(c)) == c)));
    CHECK((to_upper(c) == c || (is_lower(c) && to_lower(to_upper(c)) == c)));
  }
  CHECK(letters == 52);
  CHECK(digits == 10);
  CHECK(is_digits("0123456789"));
  for (const std::string_view other : {"", "1a", " 1", "-1", "\xc2\xb2"}) CHECK_FALSE(is_digits(other));
}

TEST_CASE("Only ASCII letters have case, and texts of different length differ") {
  CHECK(to_lower("Content-TYPE \xc3\x84") == "content-type \xc3\x84");
  CHECK(equals_ignoring_case("If-None-Match", "if-none-match"));
  CHECK(equals_ignoring_case("", ""));
  CHECK_FALSE(equals_ignoring_case("ETag", "ETags"));
  CHECK_FALSE(equals_ignoring_case("ETags", "ETag"));
  CHECK_FALSE(equals_ignoring_case("[", "{"));
  CHECK_FALSE(equals_ignoring_case("\xc3\x84", "\xc3\xa4"));
}

TEST_CASE("Bytes become hexadecimal digits, and digits become values") {
  CHECK(to_hex(std::array<std::uint8_t, 3>{0x00, 0x9a, 0xff}) == "009aff");
  CHECK(to_hex(std::string_view("\x01\xfe")) == "01fe");
  std::string upper;
  append_hex(upper, 0xab, kUpperHexDigits);
  CHECK(upper == "AB");
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const auto at = kLowerHexDigits.find(to_lower(c));
    CHECK(hex_value(c) == (at == std::string_view::npos ? -1 : static_cast<int>(at)));
  }
}

}  // namespace tonearm::ascii
