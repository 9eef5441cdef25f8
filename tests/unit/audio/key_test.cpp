#include "measuring/key.h"

#include <doctest/doctest.h>

#include "synthesis.h"

namespace tonearm::audio {

namespace {

/// Returns the key of successive chords. Notes are semitones from C4.
std::string key_of_chords(const std::vector<std::vector<int>>& chords) {
  test::Sound sound;
  for (const auto& notes : chords) {
    std::vector<double> hz;
    hz.reserve(notes.size());
    for (const auto note : notes) hz.push_back(261.626 * std::pow(2, note / 12.0));
    const auto next = test::chord(1.5, hz);
    sound.insert(sound.end(), next.begin(), next.end());
  }
  return key_of(sound, test::kRate);
}

}  // namespace

TEST_CASE("a chord and a cadence have the key that musicians give them") {
  CHECK(key_of(test::chord(4, {220, 261.63, 329.63}), test::kRate) == "A minor");
  CHECK(key_of(test::chord(4, {261.63, 329.63, 392}), test::kRate) == "C major");
  CHECK(key_of_chords({{0, 4, 7}, {5, 9, 12}, {7, 11, 14}, {0, 4, 7}}) == "C major");
  CHECK(key_of_chords({{6, 10, 13}, {11, 15, 18}, {13, 17, 20}, {6, 10, 13}}) == "F# major");
  CHECK(key_of_chords({{2, 5, 9}, {7, 10, 14}, {9, 13, 16}, {2, 5, 9}}) == "D minor");
}

TEST_CASE("noise, strokes, single notes and all twelve notes have no key") {
  CHECK(key_of(test::noise(4, 1), test::kRate).empty());
  CHECK(key_of(test::clicks(4, 120), test::kRate).empty());
  CHECK(key_of(test::tone(4, 440), test::kRate).empty());
  CHECK(key_of(test::silence(4), test::kRate).empty());
  CHECK(key_of(test::chord(0.3, {220, 261.63, 329.63}), test::kRate).empty());
  std::vector<double> all;
  all.reserve(12);
  for (int i = 0; i < 12; ++i) all.push_back(261.626 * std::pow(2, i / 12.0));
  CHECK(key_of(test::chord(4, all), test::kRate).empty());
}

}  // namespace tonearm::audio
