#include "measuring/analysis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "measuring/character.h"
#include "scratch_folder.h"
#include "synthesis.h"

namespace tonearm::audio {

namespace {

Measurements measured(const test::Sound& sound, unsigned channels = 1) {
  const test::ScratchFolder folder;
  const auto result = measure_audio(folder.write("a.wav", test::wav(sound, channels)));
  REQUIRE_MESSAGE(result.measurements, result.error);
  return *result.measurements;
}

test::Sound joined(test::Sound a, const test::Sound& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a sine at -6 dB has the loudness and the peak that EBU R128 gives it") {
  const auto m = measured(test::tone(5, 997), 2);
  // 997 Hz at full scale on one channel is -3.01 LUFS; two channels add 3 dB, half the amplitude takes 6.
  CHECK(std::abs(*m.loudness_tenths - -60) <= 1);
  CHECK(std::abs(m.true_peak_tenths - -60) <= 1);
  CHECK(m.duration_ms == 5'000);
  CHECK(m.clipped_thousandths == 0);
  CHECK(m.silence_thousandths == 0);
  CHECK(m.bpm_hundredths == 0);
  CHECK(m.key.empty());
  CHECK(m.bandwidth_hz >= 900);
  CHECK(m.bandwidth_hz <= 6'000);  // its abrupt ends are audible
  CHECK(m.peaks.size() == 2 * kPeakPairs);
  CHECK(m.timbre.size() == kTimbreSize);
  CHECK_FALSE(m.fingerprint.empty());
}

TEST_CASE("silence has no loudness, timbre, key, tempo, energy or tone") {
  const auto m = measured(test::silence(3));
  CHECK_FALSE(m.loudness_tenths);
  CHECK(m.silence_thousandths == 1'000);
  CHECK(m.timbre.empty());
  CHECK(m.key.empty());
  CHECK(m.bpm_hundredths == 0);
  CHECK(m.bandwidth_hz == 0);
  CHECK_FALSE(m.is_seamless_loop);
  CHECK_FALSE(energy_word(m));
  CHECK_FALSE(tone_word(m));
}

TEST_CASE("silence at the ends is measured as a share of the duration") {
  const auto m = measured(joined(joined(test::silence(1), test::noise(2, 1)), test::silence(1)));
  CHECK(m.silence_thousandths == 500);
  CHECK_FALSE(m.is_seamless_loop);
}

TEST_CASE("equal samples at full scale count as clipped") {
  CHECK(measured(test::tone(1, 100, 0.98)).clipped_thousandths == 0);
  // Two thirds of a sine at twice full scale are cut off.
  const auto clipped = measured(test::tone(1, 100, 2)).clipped_thousandths;
  CHECK(clipped > 640);
  CHECK(clipped < 690);
}

TEST_CASE("sounds shorter than any window are measured") {
  for (const auto samples : {1, 2, 100, 207, 855}) {
    auto sound = test::noise(0.1, 5);
    sound.resize(static_cast<std::size_t>(samples));
    const auto m = measured(sound);
    CHECK(m.duration_ms >= 1);
    CHECK(m.bpm_hundredths == 0);
    CHECK(m.fingerprint.empty());
    CHECK(m.timbre.size() == kTimbreSize);
    CHECK(m.peaks.size() == 2 * static_cast<std::size_t>(std::min(samples, 1'000)));
  }
}

TEST_CASE("the waveform follows the sound") {
  const auto m = measured(joined(test::tone(1, 441, 0.25), test::tone(1, 441, 1)));
  REQUIRE(m.peaks.size() == 2 * kPeakPairs);
  CHECK(int{m.peaks[500]} == -32);
  CHECK(int{m.peaks[501]} == 32);
  CHECK(int{m.peaks[1'500]} == -127);
  CHECK(int{m.peaks[1'501]} == 127);
}

TEST_CASE("energy and tone rank sounds as people do") {
  const auto calm = measured(test::chord(6, {220, 277.18, 329.63}));
  const auto driving = measured(test::clicks(6, 180));
  CHECK(calm.energy < driving.energy);
  CHECK(energy_word(calm) == Energy::calm);
  CHECK(energy_word(driving) == Energy::driving);
  const auto dark = measured(test::tone(3, 80));
  const auto bright = measured(test::noise(3, 2));
  CHECK(dark.brightness < bright.brightness);
  CHECK(tone_word(dark) == Tone::dark);
  CHECK(tone_word(bright) == Tone::bright);
  CHECK(bright.bandwidth_hz >= 21'900);
}

TEST_CASE("sounds of one kind are closer in timbre than sounds of different kinds") {
  const auto distance = [](const Measurements& a, const Measurements& b) {
    int sum = 0;
    for (std::size_t i = 0; i < kTimbreSize; ++i) sum += (a.timbre[i] - b.timbre[i]) * (a.timbre[i] - b.timbre[i]);
    return sum;
  };
  const auto noise = measured(test::noise(2, 1));
  const auto tone = measured(test::tone(2, 440));
  CHECK(distance(noise, measured(test::noise(2, 9, 0.1))) * 10 < distance(noise, tone));
  CHECK(distance(tone, measured(test::tone(2, 466, 0.2))) * 10 < distance(noise, tone));
}

}  // namespace tonearm::audio
