#include "catalog/index/sparse_index.h"

#include <doctest/doctest.h>

#include <set>

#include "../sample_tracks.h"
#include "catalog/index/hash.h"
#include "catalog/index/id_index.h"
#include "catalog/index/tempo_order.h"
#include "fakes.h"

using namespace tonearm;
using namespace tonearm::test;
using namespace tonearm::catalog;

TEST_CASE("a sparse index leaves few candidates, including all numbers equal to a value") {
  SeededRandom random(9);
  for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 16U, 1'000U}) {
    for (const std::uint64_t values : {1U, 5U, 2'000U}) {
      std::vector<std::uint32_t> numbers;
      for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<std::uint32_t>(10 + random.below(values)));
      std::sort(numbers.begin(), numbers.end());
      const auto at = [&](std::size_t i) { return numbers[i]; };
      const auto made = SparseIndex::sample(count, 8, at);
      CHECK(made.size() == SparseIndex::count_of(count, 8));
      CHECK(made.size() % 2 == 0);
      const SparseIndex sparse(made, count, 8);
      for (const std::uint32_t value : {0U, 10U, 11U, 12U, 900U, 2'009U, 5'000U, ~0U}) {
        const auto [begin, end] = sparse.candidate_range(value);
        REQUIRE(begin <= end);
        REQUIRE(end <= count);
        for (std::size_t i = 0; i < begin; ++i) CHECK(numbers[i] < value);
        for (std::size_t i = end; i < count; ++i) CHECK(numbers[i] > value);
        const auto found = std::lower_bound(numbers.begin(), numbers.end(), value) - numbers.begin();
        CHECK(lower_bound_index(value, {begin, end}, at) == static_cast<std::size_t>(found));
        if (values == 2'000) CHECK(end - begin <= 8 + 8);
      }
    }
  }
}

TEST_CASE("every id is a candidate for itself, and few others are") {
  std::vector<Track> tracks;
  for (int i = 0; i < 3'000; ++i) {
    Track track = i % 3 == 0 ? effect("e-" + std::to_string(i), "rain") : music("m-" + std::to_string(i), "rain");
    if (i % 9 == 0) track.category = find_category("sp-s");
    track.taken_down = i % 50 == 0;
    tracks.push_back(std::move(track));
  }
  const auto catalog = make_memory_catalog(tracks);
  std::set<std::uint32_t> positions;
  for (const Track& track : tracks) {
    const auto position = catalog->find(track.id);
    REQUIRE(position);
    CHECK(positions.insert(*position).second);
    CHECK_FALSE(catalog->find(track.id + "x"));
  }
}

TEST_CASE("a range of tempo contains the tracks inside it, at every boundary") {
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < 2'500; ++i) {
    Track track = i % 4 == 0 ? effect("e-" + std::to_string(i), "rain") : music("m-" + std::to_string(i), "rain");
    track.bpm_hundredths = i % 5 == 0 ? 0 : 100 * (60 + i % 40);
    if (i % 41 == 0) track.bpm_hundredths = 99'999'999;
    tracks.push_back(std::move(track));
  }
  const auto catalog = make_memory_catalog(tracks);
  const std::vector<Range> ranges{
      {6'000, 6'000}, {6'001, 6'099},   {std::nullopt, 7'950},  {8'000, std::nullopt}, {0, 1},
      {9'900, 9'900}, {99'999'999, {}}, {0, ~std::uint64_t{0}}, {100'000'000, {}},     {7'000, 6'000}};
  for (const Kind kind : {Kind::music, Kind::sfx}) {
    for (const Range& range : ranges) {
      SearchQuery query = everything(kind);
      query.filters.bpm_hundredths = range;
      const auto is_inside = [&](const Track& track) {
        return track.kind == kind && track.bpm_hundredths != 0 && track.bpm_hundredths >= range.min.value_or(0) &&
               track.bpm_hundredths <= range.max.value_or(~std::uint64_t{0});
      };
      CHECK(catalog->count(query) ==
            static_cast<std::uint64_t>(std::count_if(tracks.begin(), tracks.end(), is_inside)));
    }
  }
}

TEST_CASE("a remote file gives the same page of a tie, however the order of ties is read") {
  for (const std::size_t tied : {1U, 21U, 26U, 27U, 70U, 600U}) {
    std::vector<Track> tracks;
    for (std::size_t i = 0; i < tied; ++i)
      tracks.push_back(music("t-" + std::to_string(i * 7919 % 1'000), "rain song"));
    // Terms of many tracks are bitmaps; terms of few tracks store tie ranks.
    for (std::size_t i = 0; i < 300; ++i) {
      tracks.push_back(music("o-" + std::to_string(i), i % 3 == 0 ? "rain" : "other"));
      if (i % 4 == 0) tracks.back().description = "a song";
      tracks.back().tags[0] = {i < 5 ? "rare" : "often"};
    }
    const std::string bytes = snapshot_bytes(tracks);
    const auto resident = Catalog::open(snapshot_of_bytes(bytes), {}).value();
    const auto snapshot = paged_snapshot_of_bytes(bytes, Blocks::immediate);
    const auto remote = Catalog::open(snapshot, {}).value();
    for (const auto* q : {"rain song", "song rain other", "rain", "song"}) {
      for (const std::uint32_t offset : {0U, 1U, 15U, 199U, 590U}) {
        for (const std::uint32_t limit : {1U, 20U, 50U}) {
          SearchQuery query = words(q);
          query.offset = offset;
          query.limit = limit;
          CHECK(remote->search(query) == resident->search(query));
          snapshot->file().end_request();
        }
      }
    }
  }
}

TEST_CASE("lengths and orders by duration agree, alone and combined") {
  SeededRandom random(12);
  std::vector<Track> tracks;
  for (int i = 0; i < 500; ++i) {
    Track track = i % 2 == 0 ? music("m-" + std::to_string(i), "rain") : effect("e-" + std::to_string(i), "rain");
    if (i % 7 == 0) track.category = find_category("sp-s");
    track.duration_ms = 500 + random.below(i % 2 == 0 ? 500'000 : 60'000);
    tracks.push_back(std::move(track));
  }
  const auto catalog = make_memory_catalog(tracks);
  for (const Kind kind : {Kind::music, Kind::sfx}) {
    for (const Sort sort : {Sort::shortest, Sort::longest}) {
      SearchQuery query = everything(kind);
      query.sort = sort;
      query.limit = 1'000;
      const std::vector<std::uint32_t> all = catalog->search(query).tracks;
      for (unsigned chosen = 1; chosen < 1U << kLengthNames.size(); ++chosen) {
        query.lengths.clear();
        for (std::size_t i = 0; i < kLengthNames.size(); ++i) {
          if ((chosen >> i & 1U) != 0) query.lengths.push_back(static_cast<LengthBucket>(i));
        }
        const Page page = catalog->search(query);
        CHECK(page.total == page.tracks.size());
        CHECK(std::includes(all.begin(), all.end(), page.tracks.begin(), page.tracks.end(), [&](auto a, auto b) {
          return std::find(all.begin(), all.end(), a) < std::find(all.begin(), all.end(), b);
        }));
        SearchQuery shuffled = query;
        shuffled.sort = Sort::shuffle;
        CHECK(page.total == catalog->count(shuffled));
      }
    }
  }
}
