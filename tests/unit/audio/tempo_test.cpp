#include "measuring/tempo.h"

#include <doctest/doctest.h>

#include "synthesis.h"

namespace tonearm::audio {

TEST_CASE("strokes in a steady tempo are measured to a tenth of a beat per minute") {
  for (const auto bpm : {72.0, 97.0, 120.0, 140.0, 160.0}) {
    CAPTURE(bpm);
    const auto tempo = tempo_of(test::clicks(20.3, bpm), test::kRate, TempoSearch::free);
    CHECK(tempo.bpm_hundredths == static_cast<std::uint32_t>(bpm * 100));
    CHECK(tempo.confidence >= 70);
    CHECK_FALSE(tempo.fills_loop);
  }
}

TEST_CASE("if all beats are equal, the tempo is the octave that people tap") {
  CHECK(tempo_of(test::clicks(20.3, 174), test::kRate, TempoSearch::free).bpm_hundredths == 8'700);
}

TEST_CASE("a loop of a few beats has the tempo at which whole beats fill it") {
  for (const auto bpm : {97.0, 120.0, 136.88}) {
    CAPTURE(bpm);
    const auto tempo = tempo_of(test::clicks(4 * 60 / bpm, bpm), test::kRate, TempoSearch::loop_first);
    CHECK(tempo.bpm_hundredths >= static_cast<std::uint32_t>(bpm * 100) - 1);
    CHECK(tempo.bpm_hundredths <= static_cast<std::uint32_t>(bpm * 100) + 1);
    CHECK(tempo.fills_loop);
  }
}

TEST_CASE("recordings without a steady beat have no tempo") {
  CHECK(tempo_of(test::silence(10), test::kRate, TempoSearch::loop_first).bpm_hundredths == 0);
  CHECK(tempo_of(test::noise(10, 4), test::kRate, TempoSearch::loop_first).bpm_hundredths == 0);
  CHECK(tempo_of(test::tone(10, 330), test::kRate, TempoSearch::loop_first).bpm_hundredths == 0);
  // Too few beats.
  CHECK(tempo_of(test::clicks(3.3, 120), test::kRate, TempoSearch::free).bpm_hundredths == 0);
  // Strokes at random times.
  auto uneven = test::silence(20);
  const auto stroke = test::clicks(0.2, 60);
  std::mt19937 random(11);
  for (int i = 0; i < 40; ++i) {
    const auto begin = random() % (uneven.size() - stroke.size());
    for (std::size_t j = 0; j < stroke.size(); ++j) uneven[begin + j] += stroke[j];
  }
  CHECK(tempo_of(uneven, test::kRate, TempoSearch::loop_first).bpm_hundredths == 0);
}

}  // namespace tonearm::audio
