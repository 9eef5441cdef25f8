#include "report/families.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm::builder {
namespace {

Track titled(const std::string& title, const std::string& artist, const std::string& source = "a.example") {
  Track track;
  track.title = title;
  track.artist = artist;
  track.source = source;
  return track;
}

TEST_CASE("the title of a family is what stands before the final number") {
  CHECK(family_title("Rain 01") == "rain");
  CHECK(family_title("Rain_02") == "rain");
  CHECK(family_title("Rain (12)") == "rain");
  CHECK(family_title("impactMetal_heavy-003") == "impactmetal_heavy");
  CHECK(family_title("Rain (take #02)") == "rain (take");
  CHECK(family_title("Rain").empty());
  CHECK(family_title("1999").empty());
  CHECK(family_title("(7)").empty());
  CHECK(family_title("").empty());
  CHECK(family_title(" ) ").empty());
  CHECK(family_title("4 Seasons").empty());
}

TEST_CASE("a family is of one artist and source, and has two tracks at least") {
  const std::array tracks{
      titled("Rain 01", "Ann"), titled("rain 2", "ANN"), titled("Rain 3", "Ben"), titled("Rain 4", "Ann", "b.example"),
      titled("Hit 1", "Ann"),   titled("Hit 2", "Ann"),  titled("Hit 3", "Ann"),  titled("Rain", "Ann")};
  const auto counts = count_families(tracks);
  CHECK(counts.families == 2);
  CHECK(counts.tracks == 5);
}

}  // namespace
}  // namespace tonearm::builder
