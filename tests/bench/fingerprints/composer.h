#pragma once
// Composes music for measuring fingerprints from a seed and renders it with FluidSynth, so that measurements need no
// recordings. The same seed gives the same notes.

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::fingerprints {

/// How a rendering differs from the original piece of its seed.
struct Rendering {
  int semitones = 0;           // up or down
  bool other_players = false;  // other instruments
  int tempo_percent = 100;
};

/// Samples of one channel at kRenderRate. Throws std::runtime_error without a soundfont.
inline constexpr int kRenderRate = 44'100;
std::vector<std::int16_t> render_piece(std::uint64_t seed, const Rendering& rendering, const std::string& soundfont);

}  // namespace tonearm::fingerprints
