#include "tonearm/search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "../sample_tracks.h"
#include "snapshot_surgery.h"

using namespace tonearm;
using namespace tonearm::test;

TEST_CASE("every word must match, in any of a track's texts") {
  Track a = music("x-1", "Rainy night");
  a.artist = "Ann\xc3\xa9 Doe";
  a.tags[0] = {"hip-hop"};
  a.description = "slow piano";
  Track b = effect("x-2", "Bark", "fx-a");
  const auto catalog = make_memory_catalog(std::vector{a, b, music("x-3", "Night")});
  CHECK(found(*catalog, words("rainy anne hop PIANOS")) == Ids{"x-1"});
  CHECK(found(*catalog, words("night")) == Ids{"x-3", "x-1"});
  CHECK(found(*catalog, words("night barks")).empty());
  CHECK(found(*catalog, words("animals", Kind::sfx)) == Ids{"x-2"});
  CHECK(found(*catalog, words("soundscapes animals", Kind::sfx)).empty());
  CHECK(found(*catalog, words("rain*")).empty());
  CHECK(found(*catalog, words("night OR bark")).empty());
}

TEST_CASE("labels of tags are searched") {
  SnapshotOptions options;
  options.tag_labels[1]["scifi"] = "Science Fiction";
  Track a = music("x-1", "A");
  a.tags[1] = {"scifi"};
  const auto catalog = make_memory_catalog(std::vector{a}, options);
  CHECK(catalog->count(words("fiction")) == 1);
  CHECK(catalog->count(words("scifi")) == 1);
}

TEST_CASE("synonyms match if the track contains all words of any text in the set") {
  SnapshotOptions options;
  options.synonyms = {{"film score", "soundtrack"}};
  const auto catalog = make_memory_catalog(
      std::vector{music("x-1", "Soundtrack"), music("x-2", "Score of a film"), music("x-3", "Film")}, options);
  CHECK(catalog->count(words("soundtrack")) == 2);
  CHECK(catalog->count(words("film score")) == 2);
  CHECK(catalog->count(words("score film")) == 1);
}

TEST_CASE("searches for effects omit speech unless a category selects it") {
  const auto catalog = make_memory_catalog(std::vector{effect("x-1", "Hello dog", "sp-s"), effect("x-2", "Dog", "fx-a"),
                                                       effect("x-3", "Dog"), music("x-4", "Dog")});
  const auto in = [&](std::vector<std::string> categories) {
    SearchQuery query = words("dog", Kind::sfx);
    query.categories = std::move(categories);
    auto ids = found(*catalog, query);
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  CHECK(in({}) == Ids{"x-2", "x-3"});
  CHECK(in({"speech"}) == Ids{"x-1"});
  CHECK(in({"sp"}) == Ids{"x-1"});
  CHECK(in({"sp-s", "fx-a"}) == Ids{"x-1", "x-2"});
  CHECK(in({"sound-effects"}) == Ids{"x-2"});
  CHECK(in({"fx"}) == Ids{"x-2"});
  CHECK(in({"sp-c"}).empty());
  CHECK(in({"nothing"}).empty());
}

TEST_CASE("tags of one facet are any-of, different facets must all match") {
  Track a = music("x-1", "A");
  a.tags[0] = {"rock"};
  a.tags[1] = {"calm"};
  Track b = music("x-2", "B");
  b.tags[0] = {"jazz", "rock"};
  const auto catalog = make_memory_catalog(std::vector{a, b});
  SearchQuery query = everything();
  query.tags[0] = {"jazz", "rock"};
  CHECK(catalog->count(query) == 2);
  query.tags[1] = {"calm"};
  CHECK(found(*catalog, query) == Ids{"x-1"});
  query.tags[1] = {"unknown"};
  CHECK(catalog->count(query) == 0);
}

TEST_CASE("the bounds of length buckets depend on the kind") {
  const auto count = [](Track track, std::uint64_t ms, LengthBucket bucket) {
    track.duration_ms = ms;
    SearchQuery query = everything(track.kind);
    query.lengths = {bucket};
    return make_memory_catalog(std::vector{track})->count(query);
  };
  using enum LengthBucket;
  const Track song = music("x-1", "A");
  const Track bang = effect("x-2", "B");
  CHECK(count(song, 29'999, xs) == 1);
  CHECK(count(song, 30'000, s) == 1);
  CHECK(count(song, 120'000, m) == 1);
  CHECK(count(song, 300'000, m) == 1);
  CHECK(count(song, 300'001, l) == 1);
  CHECK(count(bang, 1'999, xs) == 1);
  CHECK(count(bang, 2'000, s) == 1);
  CHECK(count(bang, 10'000, m) == 1);
  CHECK(count(bang, 30'000, m) == 1);
  CHECK(count(bang, 30'001, l) == 1);
}

TEST_CASE("ranges are inclusive, and a range of tempo omits tracks without one") {
  Track a = music("x-1", "A");
  a.bpm_hundredths = 12'000;
  const auto catalog = make_memory_catalog(std::vector{a, music("x-2", "B")});
  SearchQuery query = everything();
  query.filters.bpm_hundredths = {12'000, 12'000};
  CHECK(found(*catalog, query) == Ids{"x-1"});
  query.filters.bpm_hundredths = {0, std::nullopt};
  CHECK(catalog->count(query) == 1);
  query.filters.bpm_hundredths = {};
  query.filters.duration_ms = {180'000, 180'000};
  CHECK(catalog->count(query) == 2);
  query.filters.duration_ms = {180'001, std::nullopt};
  CHECK(catalog->count(query) == 0);
}

TEST_CASE("terms, credit, origin, loops and quality filter") {
  Track a = music("x-1", "A");
  a.artist = "STRASSE";
  a.credit_requested = true;
  a.loop = true;
  Track b = music("x-2", "B");
  b.license = LicenseId::cc_by_nc_sa_4_0;
  b.source = "other.org";
  b.quality = 499;
  b.energy = Energy::calm;
  b.tone = Tone::dark;
  const auto catalog = make_memory_catalog(std::vector{a, b, music("x-3", "C")});
  const auto with = [&](const auto& change) {
    SearchQuery query = everything();
    change(query);
    auto ids = found(*catalog, query);
    std::sort(ids.begin(), ids.end());
    return ids;
  };
  CHECK(with([](auto& q) { q.filters.commercial = true; }) == Ids{"x-1", "x-3"});
  CHECK(with([](auto& q) { q.filters.commercial = false; }) == Ids{"x-2"});
  CHECK(with([](auto& q) { q.share_alike = true; }) == Ids{"x-2"});
  CHECK(with([](auto& q) { q.filters.credit = CreditFilter::optional; }) == Ids{"x-3"});
  CHECK(with([](auto& q) { q.filters.credit = CreditFilter::requested; }) == Ids{"x-1", "x-2"});
  CHECK(with([](auto& q) { q.licenses = {LicenseId::cc_by_nc_sa_4_0, LicenseId::cc_by_3_0}; }) == Ids{"x-2"});
  CHECK(with([](auto& q) {
          q.creator =
              "stra\xc3\x9f"
              "e";
        }) == Ids{"x-1"});
  CHECK(with([](auto& q) { q.creator = "stras"; }).empty());
  CHECK(with([](auto& q) { q.sources = {"OTHER.org", "none.org"}; }) == Ids{"x-2"});
  CHECK(with([](auto& q) { q.filters.loops_only = true; }) == Ids{"x-1"});
  CHECK(with([](auto& q) { q.good_quality = true; }) == Ids{"x-1", "x-3"});
  CHECK(with([](auto& q) { q.energies = {Energy::calm}; }) == Ids{"x-2"});
  CHECK(with([](auto& q) { q.tones = {Tone::dark, Tone::bright}; }) == Ids{"x-2"});
}

// FILTER-12 to FILTER-14
TEST_CASE("vocals, playable tracks, excluded sources and excluded tags filter") {
  Track sung = music("x-1", "Rain");
  sung.vocals = Vocals::vocal;
  sung.tags[0] = {"rock"};
  sung.preview_url = "https://example.org/1.mp3";
  Track played = music("x-2", "Rain");
  played.vocals = Vocals::instrumental;
  played.tags[1] = {"rock", "calm"};
  played.original_url = "https://example.org/2.flac";
  Track other = music("x-3", "Rain");
  other.source = "other.org";
  const auto catalog = make_memory_catalog(std::vector{sung, played, other});
  for (const auto* q : {"", "rain", "rain nowhere"}) {
    const auto with = [&](const auto& change) {
      SearchQuery query = words(q);
      query.match = WordMatch::most;
      change(query);
      auto ids = found(*catalog, query);
      std::sort(ids.begin(), ids.end());
      return ids;
    };
    CHECK(with([](auto& query) { query.filters.vocals = Vocals::vocal; }) == Ids{"x-1"});
    CHECK(with([](auto& query) { query.filters.vocals = Vocals::instrumental; }) == Ids{"x-2"});
    CHECK(with([](auto& query) { query.playable_only = true; }) == Ids{"x-1", "x-2"});
    CHECK(with([](auto& query) { query.excluded_sources = {"OTHER.org", "none.org"}; }) == Ids{"x-1", "x-2"});
    CHECK(with([](auto& query) { query.excluded_tags = {"rock"}; }) == Ids{"x-3"});
    CHECK(with([](auto& query) { query.excluded_tags = {"calm", "nothing"}; }) == Ids{"x-1", "x-3"});
  }
}

// SORT-8
TEST_CASE("newest is by date, unknown last, ties by id") {
  std::vector<Track> tracks{music("x-1", "A"), music("x-10", "A"), music("x-2", "A"), music("x-3", "A"),
                            effect("x-4", "A")};
  tracks[0].published = "2023-12-31";
  tracks[1].published = "2024-01-01";
  tracks[2].published = "2024-01-01";
  tracks[4].published = "2025-01-01";
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = everything();
  query.sort = Sort::newest;
  CHECK(found(*catalog, query) == Ids{"x-10", "x-2", "x-1", "x-3"});
}

// SORT-2
TEST_CASE("every sort is total: ties are ordered by id as bytes") {
  std::vector<Track> tracks{music("b-2", "A"), music("b-10", "A"), music("a-9", "A"), music("a-1", "A")};
  tracks[0].bpm_hundredths = 9'000;
  tracks[1].bpm_hundredths = 12'000;
  tracks[2].duration_ms = 1'000;
  tracks[3].quality = 900;
  const auto catalog = make_memory_catalog(tracks);
  const auto sorted = [&](Sort sort) {
    SearchQuery query = everything();
    query.sort = sort;
    return found(*catalog, query);
  };
  CHECK(sorted(Sort::quality) == Ids{"a-1", "a-9", "b-10", "b-2"});
  CHECK(sorted(Sort::relevance) == sorted(Sort::quality));
  CHECK(sorted(Sort::shortest) == Ids{"a-9", "a-1", "b-10", "b-2"});
  CHECK(sorted(Sort::longest) == Ids{"a-1", "b-10", "b-2", "a-9"});
  CHECK(sorted(Sort::slow) == Ids{"b-2", "b-10", "a-1", "a-9"});
  CHECK(sorted(Sort::fast) == Ids{"b-10", "b-2", "a-1", "a-9"});
}

TEST_CASE("pages of every order never repeat or skip") {
  std::vector<Track> tracks;
  for (int i = 0; i < 300; ++i) {
    Track track = music("x-" + std::to_string(i), i % 3 == 0 ? "rain song" : "rain");
    track.duration_ms = 1'000U + static_cast<unsigned>(i % 7);
    track.tags[0] = {i % 50 == 0 ? "rare" : "common"};
    tracks.push_back(track);
  }
  const auto catalog = make_memory_catalog(tracks);
  for (const auto* q : {"", "rain"}) {
    for (const auto* genre : {"rare", "common"}) {
      for (int sort = 0; sort <= static_cast<int>(Sort::newest); ++sort) {
        SearchQuery query = words(q);
        query.tags[0] = {genre};
        query.sort = static_cast<Sort>(sort);
        query.limit = 1'000;
        const Page whole = catalog->search(query);
        CHECK(whole.total == whole.tracks.size());
        CHECK(std::set(whole.tracks.begin(), whole.tracks.end()).size() == whole.total);
        query.limit = 7;
        std::vector<std::uint32_t> joined;
        for (query.offset = 0; query.offset < whole.total + 7; query.offset += 7) {
          const Page page = catalog->search(query);
          CHECK(page.total == whole.total);
          joined.insert(joined.end(), page.tracks.begin(), page.tracks.end());
        }
        CHECK(joined == whole.tracks);
      }
    }
  }
}

TEST_CASE("a seed gives another fixed shuffle") {
  std::vector<Track> tracks;
  tracks.reserve(100);
  for (int i = 0; i < 100; ++i) tracks.push_back(music("x-" + std::to_string(i), "A"));
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = everything();
  const auto plain = catalog->search(query).tracks;
  query.seed = "abc";
  const auto seeded = catalog->search(query).tracks;
  CHECK(seeded != plain);
  CHECK(catalog->search(query).tracks == seeded);
  query.seed = "abd";
  CHECK(catalog->search(query).tracks != seeded);
}

TEST_CASE("tracks taken down are found only by id") {
  Track taken_down = music("x-1", "Rain");
  taken_down.taken_down = true;
  taken_down.artist = "Nobody";
  taken_down.tags[0] = {"rock"};
  taken_down.neighbors = {1};
  Track other = music("x-2", "Rain");
  other.neighbors = {0};
  const auto catalog = make_memory_catalog(std::vector{taken_down, other});
  CHECK(catalog->track_count() == 2);
  CHECK(found(*catalog, words("rain")) == Ids{"x-2"});
  CHECK(catalog->count(everything()) == 1);
  REQUIRE(catalog->find("x-1"));
  CHECK(catalog->similar(*catalog->find("x-1"), {}, 20, 0).total == 0);
  CHECK(catalog->similar(*catalog->find("x-2"), {}, 20, 0).total == 0);
  CHECK(catalog->creators({}, 10).empty());
  CHECK(catalog->values().tags[0][0].empty());
  CHECK(catalog->values().sources.at(0).track_count == 1);
  CHECK_FALSE(catalog->find("x-3"));
}

TEST_CASE("query terms have offsets and tell whether any track has them") {
  const auto catalog = make_memory_catalog(std::vector{music("x-1", "Rain")});
  const auto words = catalog->terms("raining cats", WordMatch::all);
  REQUIRE(words.size() == 2);
  CHECK(words[0].known);
  CHECK(words[0].end == 7);
  CHECK_FALSE(words[1].known);
  CHECK(words[1].begin == 8);
  CHECK(catalog->has_words("a"));
  CHECK_FALSE(catalog->has_words(" ,;"));
}

TEST_CASE("similar tracks are filtered before paging") {
  std::vector<Track> tracks{music("x-0", "A"), music("x-1", "B"), music("x-2", "C"), music("x-3", "D"),
                            effect("x-4", "E")};
  tracks[0].neighbors = {3, 4, 0, 1, 2, 3};
  tracks[1].license = LicenseId::cc_by_nc_4_0;
  tracks[2].bpm_hundredths = 10'000;
  tracks[2].vocals = Vocals::instrumental;
  tracks[3].loop = true;
  tracks[3].vocals = Vocals::vocal;
  const auto catalog = make_memory_catalog(tracks);
  const std::uint32_t seed = catalog->find("x-0").value();
  const auto similar = [&](const Filters& filters, std::uint32_t limit = 20, std::uint32_t offset = 0) {
    return ids(*catalog, catalog->similar(seed, filters, limit, offset).tracks);
  };
  CHECK(similar({}) == Ids{"x-3", "x-1", "x-2"});
  CHECK(similar({}, 1, 1) == Ids{"x-1"});
  CHECK(similar({}, 5, 3).empty());
  Filters filters;
  filters.commercial = true;
  CHECK(similar(filters) == Ids{"x-3", "x-2"});
  CHECK(catalog->similar(seed, filters, 1, 1).total == 2);
  CHECK(similar(filters, 1, 1) == Ids{"x-2"});
  filters.bpm_hundredths.min = 1;
  CHECK(similar(filters) == Ids{"x-2"});
  filters = {};
  filters.loops_only = true;
  CHECK(similar(filters) == Ids{"x-3"});
  filters = {};
  filters.credit = CreditFilter::requested;
  CHECK(similar(filters) == Ids{"x-1"});
  filters = {};
  filters.vocals = Vocals::instrumental;
  CHECK(similar(filters) == Ids{"x-2"});
}

namespace {

/// Six tracks: three are a numbered family and two the same recording.
std::vector<Track> with_variants() {
  std::vector<Track> tracks{music("x-1", "Rain 01"), music("x-2", "Rain 02"),    music("x-3", "rain_3"),
                            music("x-4", "Night"),   music("x-5", "Night Rain"), music("x-6", "Rain")};
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].artist = "Ann";
    tracks[i].duration_ms = 10'000 - i;
    tracks[i].quality = static_cast<std::uint16_t>(100 * i);
  }
  tracks[3].preview_url = tracks[4].original_url = "https://example.org/night.mp3";
  tracks[4].duration_ms = tracks[3].duration_ms;
  return tracks;
}

SearchQuery collapsed(SearchQuery query) {
  query.variants = Variants::collapse;
  return query;
}

}  // namespace

TEST_CASE("of variants, the first in the order of the search is shown, with the number of matches that it represents") {
  // SEARCH-12
  const auto catalog = make_memory_catalog(with_variants());
  using Counts = std::vector<std::uint32_t>;
  SearchQuery query = collapsed(everything());
  query.sort = Sort::shortest;
  CHECK(found(*catalog, query) == Ids{"x-6", "x-4", "x-3"});
  query.sort = Sort::longest;
  CHECK(found(*catalog, query) == Ids{"x-1", "x-4", "x-6"});
  CHECK(catalog->search(query).variants == Counts{3, 2, 1});
  CHECK(catalog->search(query).total == 3);
  CHECK(catalog->count(query) == 3);
  query.sort = Sort::quality;
  CHECK(found(*catalog, query) == Ids{"x-6", "x-5", "x-3"});
  // Only matches count: one of the family is outside the range.
  query.filters.duration_ms = {std::nullopt, 9'999};
  CHECK(catalog->search(query).variants == Counts{1, 2, 2});
  query.offset = 1;
  query.limit = 1;
  CHECK(found(*catalog, query) == Ids{"x-5"});
  CHECK(catalog->search(query).variants == Counts{2});
  CHECK(catalog->search(query).total == 3);
  query.offset = 3;
  CHECK(catalog->search(query).tracks.empty());
  CHECK(catalog->search(query).variants.empty());
}

TEST_CASE("variants are kept unless a search collapses them") {
  // SEARCH-12
  const auto catalog = make_memory_catalog(with_variants());
  CHECK(catalog->search(everything()).total == 6);
  CHECK(catalog->search(everything()).variants.empty());
}

TEST_CASE("with match=most, a family is shown in the tier with more words") {
  // SEARCH-12, MOST-2, MOST-3
  std::vector<Track> tracks{music("x-1", "Rain Night 1"), music("x-2", "Rain 1"), music("x-3", "Rain 2")};
  for (Track& track : tracks) track.artist = "Ann";
  tracks[0].original_url = tracks[1].original_url = "https://example.org/rain.mp3";
  tracks.push_back(music("x-4", "Night"));
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query = collapsed(words("rain night"));
  query.match = WordMatch::most;
  const Page page = catalog->search(query);
  CHECK(ids(*catalog, page.tracks) == Ids{"x-1", "x-4"});
  CHECK(page.variants == std::vector<std::uint32_t>{3, 1});
  CHECK(page.matched == std::vector<Page::TierTotal>{{2, 1}, {1, 1}});
  CHECK(page.total == 2);
  CHECK(catalog->count(query) == 2);
  // All tracks of the second tier are variants of the first.
  tracks.pop_back();
  CHECK(make_memory_catalog(tracks)->search(query).matched == std::vector<Page::TierTotal>{{2, 1}});
}

TEST_CASE("an impossible family number is a damaged snapshot, not a crash") {
  const std::string bytes = snapshot_bytes(with_variants());
  const std::string damaged = modified_snapshot(bytes, "", [](catalog::SectionId id, std::string& data) {
    if (id == catalog::SectionId::families) data.assign(data.size(), '\xff');
  });
  const auto catalog = Catalog::open(snapshot_of_bytes(damaged), {});
  REQUIRE(catalog.has_value());
  CHECK((*catalog)->search(everything()).total == 6);
  CHECK_THROWS_AS((*catalog)->search(collapsed(everything())), Failure);
}
