#pragma once
// Words that people use for the values of a parameter, such as "peaceful" for the mood "calm" (SUGGEST-9). The table is
// compiled into the program, so that a near value costs no read of the catalog. Pure, thread-safe.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tonearm::vocabulary {

/// The ASCII letters and digits of a text, in lower case: "Hip Hop" and "hip-hop" have the same.
std::string ascii_letters(std::string_view text);

/// Returns the one of `values` that the word means: its own value, another word for the same, or the nearest value that
/// includes it. None if the table does not have the parameter or the word, or if none of these are among `values`.
std::optional<std::string_view> near_value(std::string_view parameter, std::string_view word,
                                           std::span<const std::string_view> values);

}  // namespace tonearm::vocabulary
