#include "catalog/lookup/near_spellings.h"

#include <doctest/doctest.h>

#include "../sample_tracks.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("near words are ordered by edits, then tracks of the kind, then bytes (SUGGEST-8)") {
  const auto catalog = make_memory_catalog(
      std::vector{music("t-1", "Melody"), music("t-2", "Melodies"), effect("t-3", "Melodic"), effect("t-4", "Melodic"),
                  music("t-5", "Melodia"), music("t-6", "Melodia melodia"), music("t-7", "Café")});
  CHECK(catalog->near_words("melodix", Kind::music, 9) == Texts{"melodia", "melodic", "melodies", "melody"});
  CHECK(catalog->near_words("melodix", Kind::sfx, 9) == Texts{"melodic", "melodia", "melodies", "melody"});
  CHECK(catalog->near_words("MÉLODIX", Kind::sfx, 1) == Texts{"melodic"});
  CHECK(catalog->near_words("cafr", Kind::music, 9) == Texts{"cafe"});
  CHECK(catalog->near_words("cxfr", Kind::music, 9).empty());  // a short word has one edit
  CHECK(catalog->near_words("melody", Kind::music, 9).empty());
  CHECK(catalog->near_words("melodix melodix", Kind::music, 9).empty());
  CHECK(catalog->near_words("", Kind::music, 9).empty());
}

TEST_CASE("near creators are compared folded and returned as they are spelled (SUGGEST-6)") {
  std::vector<Track> tracks = {music("t-1", "A"), music("t-2", "B"), effect("t-3", "C")};
  tracks[0].artist = "Kevin MacLeod";
  tracks[1].artist = "Straße";
  tracks[2].artist = "Тихий Сад";
  const auto catalog = make_memory_catalog(tracks);
  CHECK(catalog->near_creators("kevin macloed", Kind::music, 3) == Texts{"Kevin MacLeod"});
  CHECK(catalog->near_creators("KEVIN MACLEOD", Kind::music, 3).empty());
  CHECK(catalog->near_creators("STRASE", Kind::music, 3) == Texts{"Straße"});
  CHECK(catalog->near_creators("тихии сат", Kind::music, 3) == Texts{"Тихий Сад"});
  CHECK(catalog->near_creators("nobody", Kind::music, 3).empty());
}
