#include "fingerprint/pieces.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "fingerprint/tonal_filter.h"

namespace tonearm::audio {

// CLI-28

namespace {

constexpr auto kRate = std::size_t{kTonalFilterRate};

}  // namespace

TEST_CASE("silence and less than three seconds have no piece") {
  CHECK(pieces_of(0, std::vector<float>(5 * kRate)).empty());
  std::vector<float> samples(10 * kRate);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(440 * 2 * std::numbers::pi * static_cast<double>(i) / kRate));
  }
  CHECK(pieces_of(0, std::span(samples).first(3 * kRate - 1)).empty());
  const auto pieces = pieces_of(90, samples);
  REQUIRE(pieces.size() == 2);
  for (const auto& piece : pieces) {
    CHECK(piece.begin_s == 90);
    CHECK(piece.fingerprint.starts_with("AQAA"));
  }
}

TEST_CASE("a fingerprint that is too long becomes several pieces, in order") {
  std::mt19937 random(1);
  std::vector<std::uint32_t> values(1'024, 7);
  CHECK(pieces_of_fingerprint(0, values).size() == 1);
  values.push_back(7);
  const auto halves = pieces_of_fingerprint(90, values);
  REQUIRE(halves.size() == 2);
  CHECK(halves[0].begin_s == 90);
  CHECK(halves[1].begin_s == doctest::Approx(90 + 512 * 1'365.0 / 11'025));
  for (auto& value : values) value = static_cast<std::uint32_t>(random());  // text of about twelve characters for each
  const auto pieces = pieces_of_fingerprint(0, values);
  CHECK(pieces.size() == 2);
  CHECK(std::ranges::all_of(pieces, [](const Piece& piece) { return piece.fingerprint.size() <= 8'192; }));
  CHECK(pieces_of_fingerprint(0, {}).empty());
}

}  // namespace tonearm::audio
