#include "domain/variants.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm {
namespace {

using Families = std::vector<std::uint32_t>;

struct TitleCase {
  Kind kind = Kind::sfx;
  std::string_view title;
  std::string_view stem;  // empty: none
  std::uint32_t number = 0;
};

TEST_CASE("a numbered title is a stem and a final number that distinguishes takes") {
  // SEARCH-14
  const std::array cases{
      TitleCase{Kind::music, "Rain 01", "rain", 1},
      TitleCase{Kind::sfx, "Rain_02", "rain", 2},
      TitleCase{Kind::sfx, "Footstep_3.wav", "footstep", 3},
      TitleCase{Kind::sfx, "Footstep 3.MP3", "footstep", 3},
      TitleCase{Kind::music, "Piano Loop (2)", "piano loop", 2},
      TitleCase{Kind::sfx, "impactMetal_heavy-003", "impactmetal_heavy", 3},
      TitleCase{Kind::sfx, "Rain (take #02)", "rain (take", 2},
      TitleCase{Kind::sfx, "Snare #4", "snare", 4},
      TitleCase{Kind::sfx, "souffle11", "souffle", 11},
      TitleCase{Kind::music, "Lagoa v2", "lagoa v", 2},
      TitleCase{Kind::sfx, "СТРАННЫЙ ДОЖДЬ 7", "странный дождь", 7},
      // a year, a part of a date or of a number
      TitleCase{Kind::music, "Kosmonaut 2016", "", 0},
      TitleCase{Kind::sfx, "Birds 2019-05-12", "", 0},
      TitleCase{Kind::sfx, "Take 1.5", "", 0},
      // a pitch
      TitleCase{Kind::sfx, "Clarinet - A4", "", 0},
      TitleCase{Kind::sfx, "Clarinet - C#5", "", 0},
      TitleCase{Kind::sfx, "Sax Bb3.wav", "", 0},
      TitleCase{Kind::sfx, "e2", "", 0},
      // a work
      TitleCase{Kind::music, "Symphony No. 5", "", 0},
      TitleCase{Kind::music, "Opus 12", "", 0},
      TitleCase{Kind::music, "Étude 12", "", 0},
      TitleCase{Kind::music, "GYMNOPÉDIE Nº 1", "", 0},
      TitleCase{Kind::music, "Season 2", "", 0},
      TitleCase{Kind::music, "Biology (Part 2)", "", 0},
      TitleCase{Kind::music, "Good Netlabels Vol.1", "", 0},
      TitleCase{Kind::sfx, "Rain part 2", "rain part", 2},
      // no final number, or nothing else
      TitleCase{Kind::sfx, "Rain", "", 0},
      TitleCase{Kind::sfx, "1999", "", 0},
      TitleCase{Kind::sfx, "7.wav", "", 0},
      TitleCase{Kind::sfx, "(7)", "", 0},
      TitleCase{Kind::sfx, "", "", 0},
      TitleCase{Kind::sfx, " ) ", "", 0},
      TitleCase{Kind::sfx, "4 Seasons", "", 0},
      TitleCase{Kind::sfx, "Rain 3 on a roof", "", 0},
  };
  for (const TitleCase& each : cases) {
    CAPTURE(each.title);
    const auto numbered = numbered_title(each.kind, each.title);
    CHECK(numbered.has_value() == !each.stem.empty());
    if (numbered) CHECK(*numbered == NumberedTitle{std::string(each.stem), each.number});
  }
}

TEST_CASE("the tracks of a family have the same artist and kind, and different numbers") {
  // SEARCH-14
  FamilyFinder families;
  const auto add = [&](std::string_view title, std::string_view artist, Kind kind = Kind::music) {
    families.add({kind, title, artist, "", "", 1'000 + title.size()});
  };
  add("Hit 1", "Ann");
  add("Rain 01", "Ann");
  add("rain_2", "ANN");
  add("Rain 2", "Ben");
  add("Rain 3", "Ann", Kind::sfx);
  add("Rain", "Ann");
  add("Drop 1", "");
  add("Drop 2", "");
  add("Rain 02", "Ann");
  add("Hit (2)", "Ann");
  add("Fog 1", "Ann");
  add("Fog 01", "Ann");
  CHECK(families.finish() == Families{1, 2, 2, 0, 0, 0, 0, 0, 2, 1, 0, 0});
}

TEST_CASE("equal recordings have the same duration, and the same address or the same artist and title") {
  // SEARCH-14
  FamilyFinder families;
  families.add({Kind::music, "A", "Ann", "http://a/1", "http://a/2", 1'000});
  families.add({Kind::music, "B", "Ben", "", "http://a/1", 1'000});
  families.add({Kind::music, "C", "Cem", "", "http://a/2", 1'001});
  families.add({Kind::sfx, "D", "Dia", "", "http://a/2", 1'000});
  families.add({Kind::music, "song", "ann", "", "", 2'000});
  families.add({Kind::music, "Song", "Ann", "", "", 2'000});
  families.add({Kind::music, "Song", "Ann", "", "", 2'500});
  families.add({Kind::music, "Song", "", "", "", 2'000});
  families.add({Kind::music, "Song", "", "", "", 2'000});
  families.add_without_variants();
  families.add({Kind::music, "Unknown", "Ann", "http://a/9", "", 0});
  families.add({Kind::music, "Unknown", "Ann", "http://a/9", "", 0});
  CHECK(families.finish() == Families{1, 1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("variants of a variant are variants") {
  // SEARCH-14
  FamilyFinder families;
  families.add({Kind::music, "Rain 1", "Ann", "", "http://a/1", 1'000});
  families.add({Kind::music, "Other", "Ben", "", "http://a/1", 1'000});
  families.add({Kind::music, "Rain 2", "Ann", "", "http://a/2", 1'000});
  families.add({Kind::music, "Fog 1", "Ann", "", "http://a/2", 1'000});
  families.add({Kind::music, "Fog 2", "Ann", "", "http://a/3", 1'000});
  CHECK(families.finish() == Families{1, 1, 1, 1, 1});
  CHECK(families.finish().empty());
}

}  // namespace
}  // namespace tonearm
