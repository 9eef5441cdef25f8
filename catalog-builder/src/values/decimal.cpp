#include "values/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  // without leading zeros: empty for 0
  std::int64_t exponent = 0;
};

std::string_view consume_digits(std::string_view& rest) {
  std::size_t count = 0;
  while (count < rest.size() && ascii::is_digit(rest[count])) ++count;
  const auto digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

/// Consumes "e+12"; false if it is malformed. Exponents saturate far beyond any valid value.
bool consume_exponent(std::string_view& rest, std::int64_t& exponent) {
  if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return true;
  rest.remove_prefix(1);
  bool negative = false;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  const auto digits = consume_digits(rest);
  if (digits.empty()) return false;
  std::int64_t value = 0;
  for (const char c : digits) value = std::min<std::int64_t>(value * 10 + (c - '0'), 1'000'000'000);
  exponent += negative ? -value : value;
  return true;
}

std::optional<Decimal> parse(std::string_view text) {
  Decimal result;
  if (!text.empty() && text[0] == '-') {
    result.negative = true;
    text.remove_prefix(1);
  }
  const auto whole = consume_digits(text);
  if (whole.empty() || (whole.size() > 1 && whole[0] == '0')) return std::nullopt;
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = consume_digits(text);
    if (fraction.empty()) return std::nullopt;
  }
  result.digits = std::string(whole) + std::string(fraction);
  result.exponent = -static_cast<std::int64_t>(fraction.size());
  if (!consume_exponent(text, result.exponent) || !text.empty()) return std::nullopt;
  result.digits.erase(0, std::min(result.digits.find_first_not_of('0'), result.digits.size()));
  return result;
}

}  // namespace

std::optional<std::uint64_t> scale_decimal(std::string_view number, int digits, Rounding rounding) {
  const auto decimal = parse(number);
  if (!decimal) return std::nullopt;
  if (decimal->digits.empty()) return 0;
  if (decimal->negative) return std::nullopt;
  const std::int64_t length = static_cast<std::int64_t>(decimal->digits.size()) + decimal->exponent + digits;
  if (length > 18) return std::nullopt;
  const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(length, 0));
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    value = value * 10 + (i < decimal->digits.size() ? static_cast<std::uint64_t>(decimal->digits[i] - '0') : 0);
  }
  const auto dropped = std::string_view(decimal->digits).substr(std::min(kept, decimal->digits.size()));
  const bool is_half = length >= 0 && !dropped.empty() && dropped.front() >= '5';
  const bool is_more = dropped.find_first_not_of('0') != std::string_view::npos;
  const bool is_up = (rounding == Rounding::half_up && is_half) || (rounding == Rounding::up && is_more);
  return value + (is_up ? 1 : 0);
}

std::optional<std::int64_t> scale_signed_decimal(std::string_view number, int digits) {
  const bool is_negative = number.starts_with('-');
  if (is_negative) number.remove_prefix(1);
  const auto absolute = scale_decimal(number, digits);
  if (!absolute || number.starts_with('-')) return std::nullopt;
  return is_negative ? -static_cast<std::int64_t>(*absolute) : static_cast<std::int64_t>(*absolute);
}

bool is_json_number(std::string_view text) { return parse(text).has_value(); }

bool is_zero_decimal(std::string_view number) {
  const auto mantissa = number.substr(0, number.find_first_of("eE"));
  return mantissa.find_first_of("123456789") == std::string_view::npos;
}

std::string decimal_text(double value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::optional<std::string> clock_seconds(std::string_view clock) {
  std::uint64_t seconds = 0;
  int parts = 0;
  while (true) {
    const auto digits = consume_digits(clock);
    if (digits.empty() || digits.size() > 4 || ++parts > 3) return std::nullopt;
    std::uint64_t part = 0;
    for (const char c : digits) part = part * 10 + static_cast<std::uint64_t>(c - '0');
    if (parts > 1 && (part > 59 || digits.size() != 2)) return std::nullopt;
    seconds = seconds * 60 + part;
    if (clock.empty()) break;
    if (clock[0] != ':') return std::nullopt;
    clock.remove_prefix(1);
  }
  if (parts < 2) return std::nullopt;
  return std::to_string(seconds);
}

std::optional<std::string> seconds_of_milliseconds(std::string_view milliseconds) {
  auto value = scale_decimal(milliseconds, 0);
  if (!value || milliseconds.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto fraction = std::to_string(1000 + *value % 1000);
  return std::to_string(*value / 1000) + "." + fraction.substr(1);
}

}  // namespace tonearm::builder
