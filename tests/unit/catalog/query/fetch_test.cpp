// What calls on a remote snapshot fetch. Results never depend on it.

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "../counted_snapshot.h"
#include "../sample_tracks.h"
#include "snapshot_surgery.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

const std::vector<std::string> kCommon{"rain", "night", "storm", "wind", "river", "stone", "cloud", "forest"};

/// Tracks that all have the same words. A word's best tracks, bits and impacts take a third of a block.
std::string common_words() {
  std::string title;
  for (const std::string& word : kCommon) title.append(title.empty() ? "" : " ").append(word);
  std::vector<Track> tracks;
  for (int i = 0; i < 4'000; ++i) tracks.push_back(music("x-" + std::to_string(i), title));
  return snapshot_bytes(tracks);
}

}  // namespace

TEST_CASE("after a page by score, a count of the same words fetches nothing") {
  const std::string bytes = common_words();
  for (const std::string& first : kCommon) {
    for (const std::string& second : kCommon) {
      if (first >= second) continue;
      const auto snapshot = std::make_shared<const CountedSnapshot>(bytes);
      const auto catalog = Catalog::open(snapshot, {}).value();
      const SearchQuery query = words(first + " " + second);
      CHECK(catalog->search(query).total == 4'000);
      const std::size_t of_page = snapshot->fetches();
      CHECK(catalog->count(query) == 4'000);
      CHECK(snapshot->fetches() == of_page);
    }
  }
}

TEST_CASE("a facet of the search's only filter is counted without its lists, so they are not fetched") {
  std::vector<Track> tracks;
  for (int i = 0; i < 20'000; ++i) {
    Track track = music("x-" + std::to_string(i), "rain");
    // The lists of all values take several blocks.
    track.tags[0] = {"a-" + std::to_string(i % 20), "b-" + std::to_string(i % 21), "c-" + std::to_string(i % 19)};
    tracks.push_back(std::move(track));
  }
  const std::string bytes = snapshot_bytes(tracks);
  const std::array facets{CountedFacet::genre};
  const auto fetched_for = [&](bool counts_facets) {
    const auto snapshot = std::make_shared<const CountedSnapshot>(bytes);
    const auto catalog = Catalog::open(snapshot, {}).value();
    SearchQuery query;
    query.tags[0] = {"a-1"};
    const std::size_t before = snapshot->fetched();
    if (counts_facets) CHECK(catalog->facet_counts(query, facets).of[0]->size() == 50);
    CHECK(catalog->search(query).total == 1'000);
    return snapshot->fetched() - before;
  };
  CHECK(fetched_for(true) <= fetched_for(false) + 1);
}

TEST_CASE("a damaged number of tracks is a failure of a remote file, too") {
  const std::string bytes = common_words();
  // The number of tracks of each word: music, effects, speech.
  const std::array<std::uint32_t, 3> counts{4'000, 0, 0};
  const std::array<std::uint32_t, 3> damaged{~0U, ~0U, ~0U};
  int changed = 0;
  const std::string hostile = modified_snapshot(bytes, "", [&](catalog::SectionId id, auto& data) {
    if (id != catalog::SectionId::terms) return;
    for (std::size_t at = 0; at + sizeof counts <= data.size(); at += sizeof(std::uint32_t)) {
      if (std::memcmp(data.data() + at, counts.data(), sizeof counts) != 0) continue;
      std::memcpy(data.data() + at, damaged.data(), sizeof damaged);
      ++changed;
    }
  });
  REQUIRE(changed >= 8);
  const auto catalog = Catalog::open(std::make_shared<const CountedSnapshot>(hostile), {}).value();
  const std::array facets{CountedFacet::genre, CountedFacet::license, CountedFacet::creator};
  CHECK_THROWS_AS((void)catalog->search(words("rain night")), CatalogDamaged);
  CHECK_THROWS_AS((void)catalog->facet_counts(words("rain night"), facets), CatalogDamaged);
}

TEST_CASE("three facets and their page wait for one fetch more than the page: that of the names") {
  std::vector<Track> tracks;
  for (int i = 0; i < 8'000; ++i) {
    Track track = music("x-" + std::to_string(i), i % 2 == 0 ? "rain" : "night");
    track.artist = "An artist with a name of some length " + std::to_string(i % 4'000);
    track.license = static_cast<LicenseId>(i % 5);
    track.tags[0] = {"genre-" + std::to_string(i % 300), "common-" + std::to_string(i % 10)};
    tracks.push_back(std::move(track));
  }
  const std::string bytes = snapshot_bytes(tracks);
  const std::array facets{CountedFacet::license, CountedFacet::creator, CountedFacet::genre};
  const SearchQuery query = words("rain");
  const auto fetches_of = [&](bool counts_facets) {
    const auto snapshot = std::make_shared<const CountedSnapshot>(bytes);
    const auto catalog = Catalog::open(snapshot, {}).value();
    const std::size_t before = snapshot->fetches();
    if (counts_facets) CHECK(catalog->facet_counts(query, facets).of[0]->size() == 50);
    CHECK(catalog->render(catalog->search(query).tracks).size() == 50);
    return snapshot->fetches() - before;
  };
  CHECK(fetches_of(true) <= fetches_of(false) + 1);
}
