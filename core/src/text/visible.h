#pragma once
// Whether a reader sees anything of a text. Pure, thread-safe.

#include <string_view>

namespace tonearm::text {

/// Unicode's Default_Ignorable_Code_Point (zero-width characters, variation selectors, tags and the like), white space,
/// controls, and the empty Braille cell: what shows nothing by itself.
bool is_invisible(char32_t c);

/// REQUIRES: is_utf8(text).
bool has_visible(std::string_view text);

}  // namespace tonearm::text
