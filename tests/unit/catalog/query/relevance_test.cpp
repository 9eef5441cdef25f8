// The order of matches. Each rule is tested with tracks that are listed and, with fillers that match no query, with
// terms that are bitmaps.
#include <doctest/doctest.h>

#include "../sample_tracks.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

Track tagged(std::string id, std::string title, std::vector<std::string> genres) {
  Track track = music(std::move(id), std::move(title));
  track.tags[0] = std::move(genres);
  return track;
}

Track by(std::string id, std::string title, std::string artist) {
  Track track = music(std::move(id), std::move(title));
  track.artist = std::move(artist);
  return track;
}

Track described(std::string id, std::string title, std::string description) {
  Track track = music(std::move(id), std::move(title));
  track.description = std::move(description);
  return track;
}

std::string joined(const Ids& ids) {
  std::string all;
  for (const std::string& id : ids) all.append(id).append(" ");
  return all;
}

void check_order(std::vector<Track> tracks, const std::string& q, const Ids& expected,
                 const SnapshotOptions& options = {}) {
  CAPTURE(q);
  CHECK(joined(found(*make_memory_catalog(tracks, options), words(q))) == joined(expected));
  for (int i = 0; i < 600; ++i) tracks.push_back(music("z-" + std::to_string(i), "Filler " + std::to_string(i)));
  CHECK(joined(found(*make_memory_catalog(tracks, options), words(q))) == joined(expected));
}

/// Checks that the search finds `total` tracks, and that its pages of `size` tracks, one after the other, are all of
/// them.
void check_pages(const Catalog& catalog, SearchQuery query, std::size_t total, std::uint32_t size) {
  query.limit = static_cast<std::uint32_t>(total);
  const Page whole = catalog.search(query);
  REQUIRE(whole.tracks.size() == total);
  query.limit = size;
  std::vector<std::uint32_t> joined;
  for (query.offset = 0; query.offset < whole.total; query.offset += size) {
    const Page page = catalog.search(query);
    joined.insert(joined.end(), page.tracks.begin(), page.tracks.end());
  }
  CHECK(joined == whole.tracks);
}

}  // namespace

TEST_CASE("tags over title over description over artist") {
  check_order({described("x-1", "A B C", "Thunder, then rain, then sun"), by("x-2", "A B C", "The Rain Men"),
               tagged("x-3", "A B C", {"rain-forest"}), music("x-4", "A Rain C")},
              "rain", {"x-3", "x-4", "x-1", "x-2"});
}

TEST_CASE("a whole tag ranks above a word of a longer tag, and title plus tag above both") {
  check_order(
      {tagged("x-1", "A B C", {"punk-rock"}), tagged("x-2", "A B C", {"rock"}), tagged("x-3", "A Rock C", {"rock"})},
      "rock", {"x-3", "x-2", "x-1"});
}

TEST_CASE("a title that is the word ranks first, then shorter titles") {
  check_order({tagged("x-1", "A Long Way to Rain", {"rain"}), music("x-2", "A Rather Long Way to Rain"),
               music("x-3", "Rain Again"), music("x-4", "Rain")},
              "rain", {"x-4", "x-1", "x-3", "x-2"});
}

TEST_CASE("a title that is the whole query ranks first, with or without its artist") {
  const std::vector<Track> tracks{tagged("x-1", "Sneaky and Snitch", {"sneaky-snitch-like"}),
                                  music("x-2", "Sneaky Snitch"), by("x-3", "Sneaky Snitch Kevin", "Kevin Doe"),
                                  by("x-4", "Sneaky Snitch", "Kevin Doe")};
  check_order(tracks, "sneaky snitch", {"x-2", "x-4", "x-1", "x-3"});
  for (const char* q : {"sneaky snitch kevin doe", "Kevin Doe: Sneaky Snitch", "sneaky snitch by kevin doe"}) {
    CHECK(found(*make_memory_catalog(tracks), words(q)).front() == "x-4");
  }
}

TEST_CASE("function words of the title count if the query contains them") {
  check_order({music("x-1", "Into Change"), music("x-2", "The Change")}, "the change", {"x-2", "x-1"});
}

TEST_CASE("an artist that is the whole query ranks above single words of it") {
  check_order({by("x-1", "Moon Tiger Night", "Somebody"), by("x-2", "A", "Tiger Moon")}, "tiger moon", {"x-2", "x-1"});
}

TEST_CASE("adjacent words rank above the same words apart") {
  check_order(
      {music("x-1", "Night of the Rain"), music("x-2", "The Rain Night Walk"), music("x-3", "The Night Rain Walk")},
      "night rain", {"x-3", "x-1", "x-2"});
}

TEST_CASE("words that are a whole tag rank above words of different tags") {
  check_order({tagged("x-1", "A", {"hop", "hip"}), tagged("x-2", "A", {"hip-hop"}),
               tagged("x-3", "A", {"hip-swing", "hop-along"})},
              "hip hop", {"x-2", "x-1", "x-3"});
  check_order({tagged("x-1", "A", {"drum", "bass"}), tagged("x-2", "A", {"drum-and-bass"})}, "drum and bass",
              {"x-2", "x-1"});
}

TEST_CASE("rare words weigh more") {
  std::vector<Track> tracks{tagged("x-1", "Seldom A B", {"common-heard"}),
                            tagged("x-2", "Common A B", {"seldom-heard"})};
  for (int i = 0; i < 20; ++i) tracks.push_back(music("y-" + std::to_string(i), "Common thing"));
  // A word of a tag counts more than one of a title.
  check_order(tracks, "common seldom", {"x-2", "x-1"});
}

TEST_CASE("quality makes a small difference, and no more") {
  Track poor = music("x-1", "Rain Again");
  poor.quality = 100;
  Track good = music("x-2", "Rain Again");
  good.quality = 900;
  Track best = described("x-3", "A", "rain");
  best.quality = 1000;
  check_order({poor, good, best}, "rain", {"x-2", "x-1", "x-3"});
}

TEST_CASE("query words rank above their synonyms, and a rare synonym gains nothing") {
  SnapshotOptions options;
  options.synonyms = {{"funny", "comical", "slap stick"}};
  std::vector<Track> tracks{tagged("x-1", "A", {"comical"}), tagged("x-2", "A", {"slap-stick"}),
                            tagged("x-3", "A", {"funny"}), described("x-4", "A", "comical")};
  for (int i = 0; i < 12; ++i) tracks.push_back(effect("y-" + std::to_string(i), "Funny"));
  check_order(tracks, "funny", {"x-3", "x-1", "x-2", "x-4"}, options);
}

// SORT-7
TEST_CASE("a synonym of several words ranks higher as a tag or adjacent than apart, and below the query words") {
  SnapshotOptions options;
  options.synonyms = {{"dnb", "drum and bass", "drum bass"}};
  const std::vector<Track> tracks{tagged("x-1", "A Drum for Bass", {"drum", "bass"}),
                                  tagged("x-2", "Q", {"drum-and-bass"}), music("x-3", "Drum and Bass Night"),
                                  music("x-4", "Drum Kit against a Bass"), tagged("x-5", "Q", {"dnb"})};
  check_order(tracks, "dnb", {"x-5", "x-2", "x-3", "x-1", "x-4"}, options);
  check_order({tagged("x-1", "A Drum for Bass", {"drum", "bass"}), tagged("x-2", "Q", {"drum-and-bass"})}, "dnb",
              {"x-2", "x-1"}, options);
}

TEST_CASE("equal scores are ordered by id") {
  check_order({music("x-3", "Night Rain"), music("x-10", "Night Rain"), music("x-2", "Night Rain")}, "night rain",
              {"x-10", "x-2", "x-3"});
}

// SORT-6
TEST_CASE("of equal scores, each artist's best track is first, then each one's second") {
  const auto rated = [](Track track, std::uint16_t quality) {
    track.quality = quality;
    return track;
  };
  // Qualities that give the same impact. Effects take turns too; tracks taken down do not.
  Track taken_down = by("x-0", "Night Rain", "Ann");
  taken_down.taken_down = true;
  taken_down.quality = 1000;
  Track effect_of_bob = effect("y-0", "Door");
  effect_of_bob.artist = "bob";
  effect_of_bob.quality = 1000;
  check_order({taken_down, effect_of_bob, by("x-1", "Night Rain", "Ann"), rated(by("x-2", "Night Rain", "ANN"), 510),
               by("x-3", "Night Rain", "ann"), by("x-4", "Night Rain", "Bob"), by("x-5", "Night Rain", "Cid"),
               music("x-6", "Night Rain"), music("x-7", "Night Rain")},
              "night rain", {"x-2", "x-5", "x-6", "x-7", "x-1", "x-4", "x-3"});
}

TEST_CASE("the artist's turn affects only relevance with words") {
  std::vector<Track> tracks{by("x-1", "Night Rain", "Ann"), by("x-2", "Night Rain", "Ann"),
                            by("x-3", "Night Rain", "Bob")};
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = words("night rain");
  CHECK(found(*catalog, query) == Ids{"x-1", "x-3", "x-2"});
  query.sort = Sort::quality;
  CHECK(found(*catalog, query) == Ids{"x-1", "x-2", "x-3"});
  query = everything();
  query.sort = Sort::relevance;
  CHECK(found(*catalog, query) == Ids{"x-1", "x-2", "x-3"});
}

TEST_CASE("pages of adjacent words never repeat or skip") {
  std::vector<Track> tracks;
  for (int i = 0; i < 1'500; ++i) {
    tracks.push_back(music("x-" + std::to_string(i), i % 3 == 0   ? "Night Rain"
                                                     : i % 3 == 1 ? "Rain at Night"
                                                                  : "Rain, Night"));
    if (i % 5 == 0) tracks.back().tags[0] = {"night-rain"};
    tracks.back().quality = static_cast<std::uint16_t>(i % 7 * 100);
  }
  const auto catalog = make_memory_catalog(tracks);
  check_pages(*catalog, words("night rain"), tracks.size(), 50);
}

TEST_CASE("late pages of a single word, without stored best tracks of its partition, never repeat or skip") {
  std::vector<Track> tracks;
  for (int i = 0; i < 3'000; ++i) {
    std::string title = "Rain";
    for (int more = i % 11; more > 0; --more) title += " A";
    // Effects with speech are in two partitions.
    tracks.push_back(effect("x-" + std::to_string(i), title, i % 2 == 0 ? "sp-s" : "fx-a"));
    if (i % 4 == 0) tracks.back().description = "Rain";
  }
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = words("rain", Kind::sfx);
  query.categories = {"sp-s", "fx-a"};
  check_pages(*catalog, query, tracks.size(), 100);
}
