#pragma once
// The existing name that a mistyped one most likely means. Pure.

#include <optional>
#include <span>
#include <string_view>

namespace tonearm::settings {

/// The name with the fewest edits from `text`, the first of several; nothing where each needs more than a third of the
/// letters. An edit adds, drops or replaces a letter, or swaps two that stand side by side.
std::optional<std::string_view> nearest(std::string_view text, std::span<const std::string_view> names);

}  // namespace tonearm::settings
