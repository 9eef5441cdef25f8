#pragma once
// A piece of the list becomes a score. Pure: the same notes on every machine.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "demo/score.h"
#include "demo/style.h"

namespace tonearm::builder::demo {

/// Of every piece.
inline constexpr std::string_view kArtist = "Tonearm";

/// Throws Failure where the piece names a style, a band or a mode that is not there.
Score compose(const Piece& piece, const std::map<std::string, Style>& styles);

/// The tags of the instruments that play in it.
std::vector<std::string> instruments_of(const Score& score);

}  // namespace tonearm::builder::demo
