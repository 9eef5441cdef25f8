#pragma once
// The words by which rules know a track, ASCII in lower case; a letter beyond ASCII is part of its word. Pure.

#include <string>
#include <string_view>
#include <unordered_set>

#include "tonearm/track.h"

namespace tonearm::builder {

using Words = std::unordered_set<std::string>;

/// Runs of letters and runs of digits; "DoorSlam2" is door, slam, 2. REQUIRES, as below: is_utf8(text).
void add_split_words(Words& words, std::string_view text);
/// Runs of letters and digits, as the search has them.
void add_plain_words(Words& words, std::string_view text);

/// The words of title and tags for rules: also the singular of each, and each tag as a whole ("hi-hat").
Words rule_words(const Track& track);

/// Without an s at its end, where that is likely a plural ("birds", not "glass"); else the word itself.
std::string singular(std::string_view word);

}  // namespace tonearm::builder
