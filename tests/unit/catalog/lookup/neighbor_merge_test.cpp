#include "catalog/lookup/neighbor_merge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "../sample_tracks.h"

namespace tonearm::test {
namespace {

using catalog::MergedNeighbor;
using catalog::NeighborMerge;

/// Seeds s-1 to s-4 with overlapping lists. `a-10` is before `a-9`: ids are compared as bytes.
std::shared_ptr<const Catalog> crossing_lists() {
  std::vector<Track> tracks;
  for (const char* id : {"s-1", "s-2", "s-3", "s-4", "a-9", "a-10", "b-1", "b-2", "c-1"})
    tracks.push_back(music(id, id));
  enum : std::uint32_t { s1, s2, s3, s4, a9, a10, b1, b2, c1 };
  tracks[s1].neighbors = {b1, a9, s2, c1};
  tracks[s2].neighbors = {b2, a10, c1, s1};
  tracks[s3].neighbors = {c1, b2};
  tracks[b1].license = LicenseId::cc_by_nc_4_0;
  tracks[a9].loop = true;
  tracks[c1].loop = true;
  return make_memory_catalog(tracks);
}

MergeQuery of_seeds(Ids seeds) {
  MergeQuery query;
  query.seeds = std::move(seeds);
  return query;
}

Ids merged(const Catalog& catalog, const MergeQuery& query) {
  return ids(catalog, catalog.merge_similar(query).tracks);
}

}  // namespace

TEST_CASE("ranks of merged neighbors start at 1 and are summed over the lists that contain the track") {
  constexpr std::array<std::uint32_t, 3> kFirst{7, 8, 9};
  constexpr std::array<std::uint32_t, 4> kSecond{9, 5, 7, 70'000};
  NeighborMerge merge(kFirst.size() + kSecond.size());
  merge.add(kFirst);
  merge.add({});
  merge.add(kSecond);
  auto found = merge.merged();
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.position < b.position; });
  const std::array<MergedNeighbor, 5> expected{{{5, 2, 2}, {7, 1, 4}, {8, 2, 2}, {9, 1, 4}, {70'000, 4, 4}}};
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(found[i].position == expected[i].position);
    CHECK(found[i].best_rank == expected[i].best_rank);
    CHECK(found[i].rank_sum == expected[i].rank_sum);
  }
  CHECK(NeighborMerge(0).merged().empty());
}

// SIMILAR-4
TEST_CASE("merged neighbors are ordered by best rank, then sum of ranks, then id by bytes") {
  const auto catalog = crossing_lists();
  // b-1 1/1, b-2 1/1, a-10 2/2, a-9 2/2, s-2 3/3, c-1 3/7, s-1 4/4
  CHECK(merged(*catalog, of_seeds({"s-1", "s-2"})) == Ids{"b-1", "b-2", "a-10", "a-9", "s-2", "c-1", "s-1"});
  // With s-3's list: c-1 1/8, b-2 1/3
  CHECK(merged(*catalog, of_seeds({"s-3", "s-2", "s-1"})) == Ids{"b-1", "b-2", "c-1", "a-10", "a-9", "s-2", "s-1"});
}

TEST_CASE("a seed counts once, and unknown seeds are ignored") {
  const auto catalog = crossing_lists();
  const Ids both = merged(*catalog, of_seeds({"s-1", "s-3"}));
  CHECK(both == Ids{"b-1", "c-1", "a-9", "b-2", "s-2"});
  CHECK(merged(*catalog, of_seeds({"s-3", "gone-1", "s-1", "s-3", "s-3", ""})) == both);
  CHECK(merged(*catalog, of_seeds({"gone-1"})).empty());
  CHECK(merged(*catalog, of_seeds({"s-4"})).empty());
  CHECK(merged(*catalog, {}).empty());
}

TEST_CASE("excluded, filtered or hidden tracks change no rank and are in no total") {
  const auto catalog = crossing_lists();
  const MergeQuery both = of_seeds({"s-1", "s-2"});
  MergeQuery query = both;
  query.excluded = {"s-1", "s-2", "b-2", "gone-1"};
  CHECK(merged(*catalog, query) == Ids{"b-1", "a-10", "a-9", "c-1"});
  CHECK(catalog->merge_similar(query).total == 4);

  query = both;
  query.filters.loops_only = true;
  CHECK(merged(*catalog, query) == Ids{"a-9", "c-1"});

  query = both;
  query.hide_non_commercial = true;
  CHECK(merged(*catalog, query) == Ids{"b-2", "a-10", "a-9", "s-2", "c-1", "s-1"});
  query.filters.commercial = false;
  CHECK(merged(*catalog, query).empty());
  query.hide_non_commercial = false;
  CHECK(merged(*catalog, query) == Ids{"b-1"});
}

TEST_CASE("pages of merged neighbors add up to the whole list") {
  const auto catalog = crossing_lists();
  MergeQuery query = of_seeds({"s-1", "s-2"});
  const Ids whole = merged(*catalog, query);
  for (query.limit = 1; query.limit <= 8; ++query.limit) {
    Ids pages;
    for (query.offset = 0; query.offset < 9; query.offset += query.limit) {
      const Page page = catalog->merge_similar(query);
      CHECK(page.total == whole.size());
      for (const auto& id : ids(*catalog, page.tracks)) pages.push_back(id);
    }
    CHECK(pages == whole);
  }
  query.limit = 50;
  query.offset = 999'999'999;
  CHECK(catalog->merge_similar(query) == Page{{}, whole.size()});
}

}  // namespace tonearm::test
