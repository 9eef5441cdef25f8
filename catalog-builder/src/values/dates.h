#pragma once
// Reads the dates of sources. Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// Returns the day as "2008-11-26" for text that begins with such a date, or with month, day and year ("11/26/2008
/// 1:48"); nullopt for other text and for days that no calendar has.
std::optional<std::string> iso_date(std::string_view text);

}  // namespace tonearm::builder
