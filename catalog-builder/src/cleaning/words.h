#pragma once
// The words of a track, in ASCII lower case; non-ASCII letters are part of words. Pure.

#include <string>
#include <string_view>
#include <unordered_set>

#include "tonearm/track.h"

namespace tonearm::builder {

using Words = std::unordered_set<std::string>;

/// Adds runs of letters and runs of digits, with their singulars: door, slam and 2 for "DoorSlam2". REQUIRES:
/// is_utf8(text).
void add_rule_words(Words& words, std::string_view text);
/// Adds runs of letters and digits, as a search tokenizes them. REQUIRES: is_utf8(text).
void add_search_words(Words& words, std::string_view text);

/// Returns the words of title and tags for rules: with the singular of each, and each whole tag ("hi-hat").
Words rule_words(const Track& track);

/// Removes a final s that is likely a plural ("birds", not "glass").
std::string singular(std::string_view word);

}  // namespace tonearm::builder
