#include "measuring/tempo.h"

#include <doctest/doctest.h>

#include "synthesis.h"

namespace tonearm::audio {

TEST_CASE("strokes in a steady tempo have it, to a tenth of a beat a minute") {
  for (const auto bpm : {72.0, 97.0, 120.0, 140.0, 160.0}) {
    CAPTURE(bpm);
    const auto tempo = tempo_of(test::clicks(20.3, bpm), test::kRate, Cut::anywhere);
    CHECK(tempo.bpm_hundredths == static_cast<std::uint32_t>(bpm * 100));
    CHECK(tempo.confidence >= 70);
    CHECK_FALSE(tempo.fills_a_loop);
  }
}

TEST_CASE("where each beat is like the next, the tempo is the one of the octaves that people tap") {
  CHECK(tempo_of(test::clicks(20.3, 174), test::kRate, Cut::anywhere).bpm_hundredths == 8'700);
}

TEST_CASE("a loop of a few beats has the tempo at which they fill it") {
  for (const auto bpm : {97.0, 120.0, 136.88}) {
    CAPTURE(bpm);
    const auto tempo = tempo_of(test::clicks(4 * 60 / bpm, bpm), test::kRate, Cut::maybe_to_beats);
    CHECK(tempo.bpm_hundredths >= static_cast<std::uint32_t>(bpm * 100) - 1);
    CHECK(tempo.bpm_hundredths <= static_cast<std::uint32_t>(bpm * 100) + 1);
    CHECK(tempo.fills_a_loop);
  }
}

TEST_CASE("without a steady beat there is no tempo") {
  CHECK(tempo_of(test::silence(10), test::kRate, Cut::maybe_to_beats).bpm_hundredths == 0);
  CHECK(tempo_of(test::noise(10, 4), test::kRate, Cut::maybe_to_beats).bpm_hundredths == 0);
  CHECK(tempo_of(test::tone(10, 330), test::kRate, Cut::maybe_to_beats).bpm_hundredths == 0);
  // Too few beats to be sure.
  CHECK(tempo_of(test::clicks(3.3, 120), test::kRate, Cut::anywhere).bpm_hundredths == 0);
  // Strokes that come when they like.
  auto uneven = test::silence(20);
  const auto stroke = test::clicks(0.2, 60);
  std::mt19937 random(11);
  for (int i = 0; i < 40; ++i) {
    const auto begin = random() % (uneven.size() - stroke.size());
    for (std::size_t j = 0; j < stroke.size(); ++j) uneven[begin + j] += stroke[j];
  }
  CHECK(tempo_of(uneven, test::kRate, Cut::maybe_to_beats).bpm_hundredths == 0);
}

}  // namespace tonearm::audio
