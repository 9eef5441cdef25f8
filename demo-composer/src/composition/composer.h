#pragma once
// Composes the score of a piece. Pure: every machine writes the same notes.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "composition/score.h"
#include "composition/style.h"

namespace tonearm::demo {

/// The artist of every piece.
inline constexpr std::string_view kArtist = "Tonearm";

/// Throws Failure if the piece names an unknown style, band or mode.
Score compose(const Piece& piece, const std::map<std::string, Style>& styles);

/// Returns the tags of the instruments in the score.
std::vector<std::string> instruments_of(const Score& score);

}  // namespace tonearm::demo
