#include "measuring/seam.h"

#include <doctest/doctest.h>

#include "synthesis.h"

namespace tonearm::audio {

TEST_CASE("a sound that continues over its seam is smooth there, unlike one with arbitrary ends") {
  // One second contains 440 whole periods, but not 440.25.
  const auto whole = seam_of(test::tone(1, 440), test::kRate);
  CHECK(whole.is_smooth);
  CHECK(whole.is_even);
  CHECK(whole.is_sounding);
  CHECK_FALSE(seam_of(test::tone(1, 440.25), test::kRate).is_smooth);
}

TEST_CASE("a sound that fades out does not continue at its start") {
  auto stroke = test::tone(2, 440);
  for (std::size_t i = 0; i < stroke.size(); ++i) {
    stroke[i] *= static_cast<float>(std::exp(-static_cast<double>(i) / 9'000));
  }
  const auto seam = seam_of(stroke, test::kRate);
  CHECK(seam.starts_with_sound);
  CHECK_FALSE(seam.is_sounding);
  CHECK_FALSE(seam.is_even);
}

TEST_CASE("a start that is louder than anything inside is uneven, unless it is a beat among beats") {
  CHECK(seam_of(test::clicks(2, 120), test::kRate).is_even);
  CHECK_FALSE(seam_of(test::clicks(1.9, 20), test::kRate).is_even);
}

TEST_CASE("seam_of accepts sounds of any length") {
  for (const std::size_t samples : {1U, 10U, 100U, 2'000U, 40'000U}) {
    auto sound = test::noise(1, 1);
    sound.resize(samples);
    CHECK((samples >= 35'280 || !seam_of(sound, test::kRate).is_smooth));
  }
}

}  // namespace tonearm::audio
