#include "sound/sound.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "composition/composer.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr const char* kSoundfont = "/usr/share/sounds/sf2/FluidR3_GM.sf2";

Score score_of(const std::string& name) {
  for (const auto& piece : read_pieces()) {
    if (piece.name == name) return compose(piece, read_styles());
  }
  FAIL("no piece " << name);
  return {};
}

float loudest(const Samples& samples) {
  float peak = 0;
  for (const float sample : samples) peak = std::max(peak, std::abs(sample));
  return peak;
}

/// Returns the largest step between samples of a channel within 50 ms of either end.
float largest_step_near_ends(const Samples& samples) {
  constexpr std::size_t kNear = kSampleRate / 20 * 2;
  float step = 0;
  for (std::size_t i = 2; i < samples.size(); ++i) {
    if (i < kNear || i >= samples.size() - kNear) step = std::max(step, std::abs(samples[i] - samples[i - 2]));
  }
  return step;
}

// BUILD-16
TEST_CASE("rendered pieces and loops have the specified level, peaks, ends and length") {
  if (!std::filesystem::exists(kSoundfont)) {
    MESSAGE("skipped: the package fluid-soundfont-gm is not installed");
    return;
  }
  Synthesizer synthesizer(kSoundfont);
  const auto loop = score_of("moss");
  auto first = synthesizer.render(loop);
  const auto again = synthesizer.render(loop);
  CHECK(first == again);
  CHECK(static_cast<std::int64_t>(first.size() / 2) == loop.ticks() * 60 * kSampleRate / (loop.bpm * kTicksPerBeat));
  master(first, true);
  const auto level = loudness_of(first);
  CHECK(std::abs(level.lufs + 16) < 1);
  CHECK(level.true_peak_dbtp <= -1.9);
  for (const std::size_t channel : {0U, 1U}) {
    CHECK(std::abs(first[channel] - first[first.size() - 2 + channel]) <= largest_step_near_ends(first));
  }
  CHECK(ogg_vorbis(first, {"T", "A", "L", "G", "C"}, 7) == ogg_vorbis(first, {"T", "A", "L", "G", "C"}, 7));

  auto piece = synthesizer.render(score_of("rubber-stamp"));
  master(piece, false);
  CHECK(loudest(piece) < 0.8F);
  CHECK(std::abs(piece.front()) < 0.001F);
  CHECK(std::abs(piece.back()) < 0.001F);
  CHECK(std::abs(loudness_of(piece).lufs + 16) < 1);
}

TEST_CASE("silence cannot be mastered, and a file that is not a soundfont is rejected") {
  Samples silence(kSampleRate * 4, 0.0F);
  CHECK_THROWS_AS(master(silence, false), Failure);
  CHECK_THROWS_AS(Synthesizer("/nonexistent.sf2"), Failure);
}

}  // namespace
}  // namespace tonearm::demo
