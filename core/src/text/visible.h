#pragma once
// Decides whether text has visible characters. Pure, thread-safe.

#include <string_view>

namespace tonearm::text {

/// Whether the character shows nothing by itself: Unicode's Default_Ignorable_Code_Point (zero-width characters,
/// variation selectors, tags), white space, controls, and the blank Braille pattern.
bool is_invisible(char32_t c);

/// REQUIRES: is_utf8(text).
bool has_visible(std::string_view text);

}  // namespace tonearm::text
