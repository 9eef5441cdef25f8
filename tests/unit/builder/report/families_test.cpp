#include "report/families.h"

#include <doctest/doctest.h>

#include <array>

#include "report/report.h"

namespace tonearm::builder {
namespace {

Track titled(const std::string& title, const std::string& artist) {
  Track track;
  track.title = title;
  track.artist = artist;
  track.duration_ms = 1'000;
  return track;
}

TEST_CASE("families are counted as in a search, without taken-down tracks") {
  std::array tracks{titled("Rain 01", "Ann"), titled("rain 2", "ANN"), titled("Rain 3", "Ben"),
                    titled("Hit 1", "Ann"),   titled("Hit 2", "Ann"),  titled("Hit 3", "Ann"),
                    titled("Rain", "Ann"),    titled("Sea 1", "Ann"),  titled("Sea 2", "Ann")};
  tracks.back().taken_down = true;
  Report report;
  report.count_tracks(TracksInMemory(tracks));
  const auto& counts = report.families;
  CHECK(counts.families == 2);
  CHECK(counts.tracks == 5);
}

}  // namespace
}  // namespace tonearm::builder
