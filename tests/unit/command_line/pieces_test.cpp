#include "films/pieces.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "fingerprint/tonal_filter.h"

namespace tonearm::cli {

// CLI-28

namespace {

constexpr auto kRate = std::size_t{audio::kTonalFilterRate};

float float_of(std::size_t number) { return static_cast<float>(number); }

/// Counts samples: each has the number of its second.
class Seconds {
 public:
  explicit Seconds(std::size_t seconds) : end_(seconds * kRate) {}

  std::size_t operator()(std::span<float> samples) {
    const auto count = std::min(samples.size(), end_ - at_);
    for (auto& sample : samples.first(count)) sample = float_of(at_++ / kRate);
    return count;
  }

 private:
  std::size_t end_;
  std::size_t at_ = 0;
};

/// A piece of each window, with the window's first and last second instead of a fingerprint.
std::vector<Piece> seconds_of_window(double begin_s, std::span<const float> samples) {
  return {{begin_s, fmt::format("{}-{}", samples.front(), samples.back())}};
}

/// begin first-last; ...
std::string windows_of(std::size_t seconds) {
  PieceReader reader(Seconds{seconds}, seconds_of_window);
  std::string text;
  while (!reader.is_at_end()) {
    const auto pieces = reader.next();
    CHECK(pieces.size() <= 8);
    for (const auto& piece : pieces) text += fmt::format("{} {}; ", piece.begin_s, piece.fingerprint);
  }
  CHECK(reader.read_s() == static_cast<double>(seconds));
  return text;
}

}  // namespace

TEST_CASE("a film is read in windows of two minutes, each 90 seconds after the last") {
  CHECK(windows_of(0).empty());
  CHECK(windows_of(2) == "0 0-1; ");
  CHECK(windows_of(120) == "0 0-119; ");
  CHECK(windows_of(121) == "0 0-119; 90 90-120; ");
  CHECK(windows_of(220) == "0 0-119; 90 90-209; 180 180-219; ");
  CHECK(windows_of(780) ==
        "0 0-119; 90 90-209; 180 180-299; 270 270-389; 360 360-479; 450 450-569; 540 540-659; 630 630-749; 720 "
        "720-779; ");
}

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

}  // namespace tonearm::cli
