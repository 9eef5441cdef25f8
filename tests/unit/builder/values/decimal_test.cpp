#include "values/decimal.h"

#include <doctest/doctest.h>

namespace tonearm::builder {

TEST_CASE("a JSON number is scaled to an integer without floating point, rounded half up") {
  struct Row {
    const char* text;
    int digits;
    std::optional<std::uint64_t> expected;
  };
  const Row rows[] = {
      {"183.5", 3, 183500},
      {"0", 3, 0},
      {"-0", 3, 0},
      {"-0.0", 3, 0},
      {"1", 3, 1000},
      {"0.0005", 3, 1},
      {"0.0004", 3, 0},
      {"0.00049999", 3, 0},
      {"1.0005", 3, 1001},
      {"2.6749999999999", 2, 267},
      {"2.675", 2, 268},
      {"1e3", 3, 1000000},
      {"1.5E+2", 0, 150},
      {"15e-1", 0, 2},
      {"1e-400", 3, 0},
      {"999999999999999", 3, 999999999999999000},
      {"9999999999999999", 3, std::nullopt},
      {"1e400", 3, std::nullopt},
      {"1e9999999", 3, std::nullopt},
      {"-1", 3, std::nullopt},
      {"01", 3, std::nullopt},
      {"1.", 3, std::nullopt},
      {".5", 3, std::nullopt},
      {"1e", 3, std::nullopt},
      {"", 3, std::nullopt},
      {"7094 bpm", 0, std::nullopt},
      {"+1", 0, std::nullopt},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(scale_decimal(row.text, row.digits) == row.expected);
  }
}

TEST_CASE("a number may be rounded down or up, exactly, however many digits it has") {
  CHECK(scale_decimal("0.49999999999999999999999", 3, Rounding::down) == 499);
  CHECK(scale_decimal("0.5", 3, Rounding::down) == 500);
  CHECK(scale_decimal("1.00000000000000000000001", 3, Rounding::up) == 1001);
  CHECK(scale_decimal("1.000000", 3, Rounding::up) == 1000);
  CHECK(scale_decimal("1e-400", 3, Rounding::up) == 1);
}

TEST_CASE("JSON numbers of any size are recognized") {
  for (const auto* number : {"0", "-1.5e+3", "1e9999999", "1e-9999999"}) CHECK(is_json_number(number));
  for (const auto* other : {"", "-", "01", "+1", "1.", "1e", "1e5e", "0x1", "1 "}) CHECK_FALSE(is_json_number(other));
}

TEST_CASE("zero is recognized in every form") {
  for (const auto* zero : {"0", "-0", "0.000", "0e5", "0.0E-3"}) CHECK(is_zero_decimal(zero));
  for (const auto* other : {"0.0001", "1", "1e-9", "10"}) CHECK_FALSE(is_zero_decimal(other));
}

TEST_CASE("a double becomes the shortest text that parses to it") {
  CHECK(decimal_text(183.5) == "183.5");
  CHECK(decimal_text(0.1) == "0.1");
  CHECK(scale_decimal(decimal_text(1.0005), 3) == 1001);
}

TEST_CASE("clock times become seconds") {
  CHECK(clock_seconds("3:37") == "217");
  CHECK(clock_seconds("0:04") == "4");
  CHECK(clock_seconds("1:02:03") == "3723");
  CHECK(clock_seconds("75:00") == "4500");
  for (const auto* wrong : {"", "5", "3:7", "3:60", "a:10", "3:37 ", ":37", "1:2:3:4", "1:02:"}) {
    CAPTURE(wrong);
    CHECK_FALSE(clock_seconds(wrong));
  }
}

}  // namespace tonearm::builder
