#pragma once
// Converts decimal text to scaled integers without floating point. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm::builder {

enum class Rounding : std::uint8_t { half_up, down, up };

/// Returns the value of a JSON number times 10^digits as an integer: scale_decimal("183.5", 3) is 183500. Returns
/// nullopt if the text is not a JSON number, or its value is below 0 or above 10^18.
std::optional<std::uint64_t> scale_decimal(std::string_view number, int digits, Rounding rounding = Rounding::half_up);

/// Like scale_decimal, but also for values below 0, whose halves are rounded away from 0.
std::optional<std::int64_t> scale_signed_decimal(std::string_view number, int digits);

/// Whether the text is a JSON number of any size.
bool is_json_number(std::string_view text);

/// Whether the number is 0 in any form ("0.00", "-0", "0e5"). REQUIRES: is_json_number(number).
bool is_zero_decimal(std::string_view number);

/// Returns the shortest decimal text that parses to `value`.
std::string decimal_text(double value);

/// Converts "3:37" and "1:02:03" to seconds ("217", "3723"); nullopt for other text.
std::optional<std::string> clock_seconds(std::string_view clock);

/// Converts whole milliseconds to seconds ("14090" -> "14.090"); nullopt for other text.
std::optional<std::string> seconds_of_milliseconds(std::string_view milliseconds);

}  // namespace tonearm::builder
