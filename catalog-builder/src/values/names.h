#pragma once
// Compares names of recordings and artists, and detects placeholders. Pure.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Whether a credit line can name an artist by the text (LINE-16). Placeholders ("Unknown Artist", "various", "n/a",
/// "-"), deleted accounts and masked addresses are not names. REQUIRES: is_utf8(name).
bool is_creditable_name(std::string_view name);

/// Returns the key for comparing titles and artists (LINE-14): letters and digits of any script, case-folded. Removes
/// punctuation and symbols, except a sharp or flat after a letter and a separator between digits: "C#4" is not "C4",
/// and "1.1" is not "11". Empty if the name is not UTF-8.
std::string comparable_name(std::string_view name);

/// Whether the character separates words: white space, punctuation and symbols of any script, invisible characters.
bool is_word_separator(char32_t c);

}  // namespace tonearm::builder
