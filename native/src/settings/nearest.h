#pragma once
// Finds the existing name that a mistyped one most likely means. Pure.

#include <optional>
#include <span>
#include <string_view>

namespace tonearm::settings {

/// Returns the first name with the fewest edits from `text`, or nothing if each needs more edits than a third of the
/// letters. An edit inserts, deletes or replaces a letter, or swaps two adjacent ones.
std::optional<std::string_view> nearest(std::string_view text, std::span<const std::string_view> names);

}  // namespace tonearm::settings
