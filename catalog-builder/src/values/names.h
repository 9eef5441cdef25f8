#pragma once
// Names of recordings and of those who made them: which are the same, and which name no one. Pure.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Whether the text can stand in a credit line as the name of somebody (LINE-16). What stands for a missing name cannot
/// ("Unknown Artist", "various", "n/a", "-"), nor can accounts that are gone and masked addresses. REQUIRES:
/// is_utf8(name).
bool names_somebody(std::string_view name);

/// What counts where titles or artists are compared (LINE-14): letters and digits of any script, without case. Marks
/// and symbols go, but a sharp or flat behind a letter, and something between two digits: "C#4" is not "C4", and
/// "1.1" is not "11". Empty for what is not UTF-8.
std::string comparable_name(std::string_view name);

/// Whether the character separates words: white space, punctuation and symbols of any script, what is invisible.
bool separates_words(char32_t c);

}  // namespace tonearm::builder
