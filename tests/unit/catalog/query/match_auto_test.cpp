// match=auto (AUTO-1 to AUTO-6).

#include <doctest/doctest.h>

#include <algorithm>

#include "../counted_snapshot.h"
#include "../sample_tracks.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

using Matched = std::vector<Page::TierTotal>;

SearchQuery automatic(std::string q, Kind kind = Kind::music) {
  SearchQuery query = words(std::move(q), kind);
  query.match = WordMatch::automatic;
  return query;
}

/// `both` tracks with "rain night", and one with each word alone.
std::vector<Track> rain_and_night(int both) {
  std::vector<Track> tracks{music("x-1", "Rain"), music("x-2", "Night")};
  for (int i = 0; i < both; ++i) tracks.push_back(music("y-" + std::to_string(10 + i), "Night of rain"));
  return tracks;
}

/// Returns a snapshot with two tracks that have a word, and 4,000 that have a related one.
std::string guns_and_bangs() {
  SnapshotOptions options;
  options.relations = {{"gun", "bang", Relation::related, 100}};
  std::vector<Track> tracks{music("y-1", "Gun"), music("y-2", "Gun with drums")};
  for (int i = 0; i < 4'000; ++i) {
    Track track = music("x-" + std::to_string(i), "Bang");
    track.source_page = "https://example.org/" + std::string(500, 'p');  // so that tracks take many blocks
    tracks.push_back(std::move(track));
  }
  return snapshot_bytes(tracks, options);
}

}  // namespace

TEST_CASE("with match=auto and an unwanted word, a page reads no tiers that it does not reach") {
  const std::string bytes = guns_and_bangs();
  const auto fetched_by = [&](const std::string& q, std::uint64_t expected_total) {
    const auto snapshot = std::make_shared<const CountedSnapshot>(bytes);
    const auto catalog = Catalog::open(snapshot, {}).value();
    const std::size_t before = snapshot->fetched();
    SearchQuery query = automatic(q);
    query.limit = 2;
    const Page page = catalog->search(query);
    CHECK(page.total == expected_total);
    CHECK(page.tracks.size() == 2);
    const std::size_t of_page = snapshot->fetched() - before;
    CHECK(catalog->count(query) == expected_total);
    return of_page;
  };
  CHECK(fetched_by("gun no drums", 202) <= fetched_by("gun", 202) + 1);
}

TEST_CASE("a page that reaches related tracks reads only those that it shows") {
  const std::string bytes = guns_and_bangs();
  const auto fetched_for = [&](std::uint32_t limit) {
    const auto snapshot = std::make_shared<const CountedSnapshot>(bytes);
    const auto catalog = Catalog::open(snapshot, {}).value();
    const std::size_t before = snapshot->fetched();
    SearchQuery query = automatic("gun");
    query.limit = limit;
    CHECK(catalog->render(catalog->search(query).tracks).size() == limit);
    return snapshot->fetched() - before;
  };
  CHECK(fetched_for(5) <= fetched_for(2) + 6);
}

TEST_CASE("with twenty tracks that have all words, match=auto finds what match=all finds") {
  const auto enough = make_memory_catalog(rain_and_night(20));
  const Page page = enough->search(automatic("rain night"));
  CHECK(page.total == 20);
  CHECK(page.words == 2);
  CHECK(page.matched == Matched{{2, 20}});
  CHECK(page.tracks == enough->search(words("rain night")).tracks);
  CHECK(enough->count(automatic("rain night")) == 20);

  const auto too_few = make_memory_catalog(rain_and_night(19));
  const Page all = too_few->search(automatic("rain night"));
  CHECK(all.total == 21);
  CHECK(all.matched == Matched{{2, 19}, {1, 2}});
  CHECK(too_few->count(automatic("rain night")) == 21);
}

TEST_CASE("with match=auto, only tracks within the filters count as enough") {
  std::vector<Track> tracks = rain_and_night(20);
  tracks.back().duration_ms = 1'000;
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = automatic("rain night");
  query.filters.duration_ms = {2'000, std::nullopt};
  CHECK(catalog->search(query).matched == Matched{{2, 19}, {1, 2}});
}

TEST_CASE("with match=auto, tracks with more words come first, whatever the sort") {
  std::vector<Track> tracks{music("x-1", "Rain"), music("x-2", "Rain on the sea at night"), music("x-3", "Night rain"),
                            music("x-4", "Storm")};
  tracks[0].duration_ms = 1'000;
  tracks[1].duration_ms = 3'000;
  tracks[2].duration_ms = 2'000;
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = automatic("sea rain night zither");
  query.sort = Sort::shortest;
  CHECK(found(*catalog, query) == Ids{"x-2", "x-3", "x-1"});
  const Page page = catalog->search(query);
  CHECK(page.words == 4);
  CHECK(page.matched == Matched{{3, 1}, {2, 1}, {1, 1}});
  query.offset = 1;
  query.limit = 1;
  CHECK(found(*catalog, query) == Ids{"x-3"});
}

TEST_CASE("with match=auto, sixteen words count") {
  std::string q;
  for (int i = 0; i < 18; ++i) q += "word" + std::to_string(i) + ' ';
  const auto catalog = make_memory_catalog(
      std::vector{music("x-1", "word0 word1"), music("x-2", "word15"), music("x-3", "word16 word17")});
  const Page page = catalog->search(automatic(q));
  CHECK(page.words == 16);
  CHECK(page.matched == Matched{{2, 1}, {1, 1}});
  CHECK(ids(*catalog, page.tracks) == Ids{"x-1", "x-2"});
}

TEST_CASE("with match=auto, tracks with an unwanted word come last among those with as many words") {
  const auto catalog =
      make_memory_catalog(std::vector{music("x-1", "Piano drums"), music("x-2", "Calm piano drums"),
                                      music("x-3", "Some long title of a piano"), music("x-4", "Drums")});
  const Page page = catalog->search(automatic("calm piano no drums"));
  CHECK(ids(*catalog, page.tracks) == Ids{"x-2", "x-3", "x-1"});
  CHECK(page.words == 2);
  CHECK(page.matched == Matched{{2, 1}, {1, 2}});
  CHECK(page.has_unwanted);
  CHECK(!catalog->search(words("calm piano no drums")).has_unwanted);
}

TEST_CASE("with match=auto, an unwanted word also comes last if many tracks have all words") {
  std::vector<Track> tracks;
  tracks.reserve(30);
  for (int i = 0; i < 30; ++i)
    tracks.push_back(music("x-" + std::to_string(10 + i), i < 15 ? "Piano drums" : "Piano by night"));
  const auto catalog = make_memory_catalog(tracks);
  const Page page = catalog->search(automatic("piano no drums"));
  CHECK(page.matched == Matched{{1, 30}});
  REQUIRE(page.tracks.size() == 30);
  for (const std::string& id : ids(*catalog, {page.tracks.begin(), page.tracks.begin() + 15})) CHECK(id >= "x-25");
}

TEST_CASE("with match=auto, tracks with related words follow, but never count as having the word") {
  SnapshotOptions options;
  options.relations = {{"gun", "pistol", Relation::narrower, 200},
                       {"gun", "bang", Relation::related, 100},
                       {"gun", "war", Relation::related, 50}};
  const auto catalog =
      make_memory_catalog(std::vector{effect("x-1", "Gun"), effect("x-2", "A pistol"), effect("x-3", "War"),
                                      effect("x-4", "Bang"), effect("x-5", "Rain"), effect("x-6", "Bang and gun")},
                          options);
  const Page page = catalog->search(automatic("gun", Kind::sfx));
  CHECK(ids(*catalog, page.tracks) == Ids{"x-1", "x-6", "x-2", "x-4", "x-3"});
  CHECK(page.matched == Matched{{1, 3}, {0, 2}});
  CHECK(page.total == 5);
  CHECK(catalog->count(automatic("gun", Kind::sfx)) == 5);
  CHECK(found(*catalog, words("gun", Kind::sfx)) == Ids{"x-1", "x-6", "x-2"});
  CHECK(catalog->search(automatic("pistol", Kind::sfx)).matched == Matched{{1, 1}});
}

TEST_CASE("with match=auto, at most 200 tracks have only related words, the best ones") {
  SnapshotOptions options;
  options.relations = {{"gun", "bang", Relation::related, 100}};
  std::vector<Track> tracks;
  tracks.reserve(250);
  for (int i = 0; i < 250; ++i) {
    tracks.push_back(effect("x-" + std::to_string(1'000 + i), i < 60 ? "A bang far away in the old town" : "Bang"));
  }
  const auto catalog = make_memory_catalog(tracks, options);
  const SearchQuery query = automatic("gun", Kind::sfx);
  const Page page = catalog->search(query);
  CHECK(page.total == 200);
  CHECK(page.matched == Matched{{0, 200}});
  CHECK(catalog->count(query) == 200);
  for (const std::string& id : ids(*catalog, page.tracks)) CHECK(id >= "x-1060");
  const std::array<CountedFacet, 1> license{CountedFacet::license};
  CHECK(catalog->facet_counts(query, license).of[static_cast<std::size_t>(CountedFacet::license)]->front().count ==
        200);
}

TEST_CASE("with match=auto, words related to a missing word rank tracks with as many words") {
  SnapshotOptions options;
  options.relations = {{"slam", "close", Relation::related, 100}, {"door", "gate", Relation::related, 100}};
  std::vector<Track> tracks{effect("x-1", "Old door"), effect("x-2", "Close the door now"),
                            effect("x-3", "A gate, a slam"), effect("x-4", "Old slam")};
  const auto catalog = make_memory_catalog(tracks, options);
  SearchQuery query = automatic("door slam", Kind::sfx);
  const auto first = [](const Catalog& of, const SearchQuery& asked) {
    Ids two = found(of, asked);
    two.resize(2);
    std::sort(two.begin(), two.end());
    return two;
  };
  CHECK(first(*make_memory_catalog(tracks), query) == Ids{"x-1", "x-4"});
  CHECK(first(*catalog, query) == Ids{"x-2", "x-3"});
  query.match = WordMatch::most;
  CHECK(first(*catalog, query) == Ids{"x-1", "x-4"});
}

TEST_CASE("with match=auto, a closely related word outweighs a shorter title") {
  std::vector<Track> tracks{effect("x-1", "Monster dance"), effect("x-2", "One more deep monster growl")};
  for (int i = 0; i < 40; ++i) tracks.push_back(effect("y-" + std::to_string(10 + i), "Other"));
  const SearchQuery query = automatic("monster roar", Kind::sfx);
  const auto first = [&](std::uint8_t weight) {
    SnapshotOptions options;
    options.relations = {{"roar", "growl", Relation::related, weight}};
    return found(*make_memory_catalog(tracks, options), query).front();
  };
  CHECK(first(127) == "x-1");
  CHECK(first(128) == "x-2");
}

TEST_CASE("with match=auto, a word that is a tag weighs more than a rarer word that is none") {
  std::vector<Track> tracks{effect("x-1", "Footsteps passing"), effect("x-2", "Whistling train"),
                            effect("x-3", "Rails")};
  for (int i = 0; i < 40; ++i) tracks.push_back(effect("y-" + std::to_string(10 + i), "Other"));
  tracks[2].description = "A train";
  SearchQuery query = automatic("train passing", Kind::sfx);
  CHECK(found(*make_memory_catalog(tracks), query).front() == "x-1");
  tracks[2].description.clear();
  tracks[2].tags[static_cast<std::size_t>(Facet::sfx)] = {"train"};
  CHECK(found(*make_memory_catalog(tracks), query) == Ids{"x-3", "x-2", "x-1"});
  query.match = WordMatch::most;
  CHECK(found(*make_memory_catalog(tracks), query) == Ids{"x-3", "x-1", "x-2"});
}

TEST_CASE("with match=auto, a phrase of a synonym set may be a tag") {
  SnapshotOptions options;
  options.synonyms = {{"hip hop", "hiphop"}};
  std::vector<Track> tracks{music("x-1", "A lofi"), music("x-2", "A hiphop"), music("x-3", "Rails")};
  for (int i = 0; i < 40; ++i) tracks.push_back(music("y-" + std::to_string(10 + i), "Other"));
  tracks[2].tags[static_cast<std::size_t>(Facet::genre)] = {"hip-hop"};
  const SearchQuery query = automatic("lofi hip hop");
  CHECK(found(*make_memory_catalog(tracks, options), query).front() == "x-3");
}

TEST_CASE("with match=auto, related words rank only among up to 2,000 tracks") {
  SnapshotOptions options;
  options.relations = {{"slam", "close", Relation::related, 255}};
  std::vector<Track> tracks{effect("x-0000", "A door far away to close")};
  for (int i = 1; i < 2'000; ++i) tracks.push_back(effect("x-" + std::to_string(1'000 + i), "Door"));
  const SearchQuery query = automatic("door slam", Kind::sfx);
  CHECK(found(*make_memory_catalog(tracks, options), query).front() == "x-0000");
  tracks.push_back(effect("x-9999", "Door"));
  CHECK(found(*make_memory_catalog(tracks, options), query).front() != "x-0000");
}

TEST_CASE("with match=auto, the 24 related phrases with the highest weights count") {
  SnapshotOptions options;
  std::vector<Track> tracks;
  for (int i = 0; i < 15; ++i) {
    const auto weight = static_cast<std::uint8_t>(100 + i);
    const std::string number = std::to_string(10 + i);
    options.relations.push_back({"gun", "bang" + number, Relation::related, weight});
    options.relations.push_back({"war", "fight" + number, Relation::related, weight});
    tracks.push_back(effect("x-" + number, "Bang" + number));
    tracks.push_back(effect("y-" + number, "Fight" + number));
  }
  const auto catalog = make_memory_catalog(tracks, options);
  const Page page = catalog->search(automatic("gun war", Kind::sfx));
  CHECK(page.matched == Matched{{0, 24}});
  for (const std::string& id : ids(*catalog, page.tracks)) CHECK(id.substr(2) >= "13");
  CHECK(catalog->search(automatic("gun", Kind::sfx)).matched == Matched{{0, 15}});
}
