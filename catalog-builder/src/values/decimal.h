#pragma once
// Decimal numbers as text, scaled to integers without any floating point. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm::builder {

enum class Rounding : std::uint8_t { half_up, down, up };

/// The value of a JSON number times 10^digits, as a whole number: scale_decimal("183.5", 3) is 183500.
/// Nothing for a text that is no JSON number, a value below 0 or above 10^18.
std::optional<std::uint64_t> scale_decimal(std::string_view number, int digits, Rounding rounding = Rounding::half_up);

/// Whether the text is a number as JSON writes it, of whatever size.
bool is_json_number(std::string_view text);

/// Whether the number is 0, whatever its form ("0.00", "-0", "0e5"). REQUIRES: a JSON number.
bool is_zero_decimal(std::string_view number);

/// The shortest decimal text that reads as `value` again; of a JSON number of up to 15 digits, the number itself.
std::string decimal_text(double value);

/// "3:37" and "1:02:03" as seconds ("217", "3723"); nothing for another form.
std::optional<std::string> clock_seconds(std::string_view clock);

/// Whole milliseconds as seconds ("14090" -> "14.090"); nothing for what is no whole number.
std::optional<std::string> seconds_of_milliseconds(std::string_view milliseconds);

}  // namespace tonearm::builder
