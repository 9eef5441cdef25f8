#pragma once
// The changes made to a work before using it (ITEM-8). A plain value.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm {

/// The chips of `modifications.chips`, in the specification's order.
enum class Chip : std::uint8_t { trimmed, loudness_adjusted, looped, edited };
inline constexpr std::array<std::string_view, 4> kChipNames{"trimmed", "loudness adjusted", "looped", "edited"};

/// Empty: no changes, `null` in answers.
struct Modifications {
  std::array<bool, kChipNames.size()> chips{};  // indexed by Chip: a set (ITEM-8)
  std::string text;                             // UTF-8, may contain line breaks; empty: none

  bool empty() const { return *this == Modifications{}; }
  friend bool operator==(const Modifications&, const Modifications&) = default;
};

}  // namespace tonearm
