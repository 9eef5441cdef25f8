#include "films/piece_reader.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

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
std::vector<audio::Piece> seconds_of_window(double begin_s, std::span<const float> samples) {
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

}  // namespace tonearm::cli
