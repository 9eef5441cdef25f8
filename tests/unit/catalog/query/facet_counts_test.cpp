#include "catalog/query/facet_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>

#include "fakes.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "tonearm/sql.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

constexpr std::array kAsked{CountedFacet::genre, CountedFacet::license, CountedFacet::tone, CountedFacet::creator};

/// Music with tags and artists, some common and many rare, so that there are bitmaps and lists.
std::vector<Track> many_tracks(std::uint32_t count) {
  SeededRandom random(75);
  std::vector<Track> tracks(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Track& track = tracks[i];
    track.id = "x-" + std::to_string(i);
    track.title = random.below(40) == 0 ? "rain" : "night";
    track.duration_ms = 1'000 + 10 * i;
    track.source = "example.org";
    track.license = static_cast<LicenseId>(random.below(3));
    if (random.below(10) != 0) track.tone = static_cast<Tone>(random.below(3));
    for (std::uint64_t tags = random.below(4); tags > 0; --tags) {
      const std::string tag = "g" + std::to_string(random.below(random.below(random.below(200) + 1) + 1));
      auto& genres = track.tags[0];
      if (std::find(genres.begin(), genres.end(), tag) == genres.end()) genres.push_back(tag);
    }
    if (random.below(20) != 0) track.artist = "Artist " + std::to_string(random.below(random.below(400) + 1));
  }
  return tracks;
}

std::vector<ValueCount> counted(const std::vector<Track>& tracks, CountedFacet facet,
                                const std::function<bool(const Track&)>& matches) {
  std::map<std::string, std::uint64_t> counts;
  for (const Track& track : tracks) {
    if (!matches(track)) continue;
    if (facet == CountedFacet::genre) {
      for (const std::string& tag : track.tags[0]) ++counts[tag];
    } else if (facet == CountedFacet::license) {
      ++counts[std::string(license(track.license).name_id)];
    } else if (facet == CountedFacet::tone) {
      if (track.tone) ++counts[std::string(kToneNames[static_cast<std::size_t>(*track.tone)])];
    } else if (!track.artist.empty()) {
      ++counts[track.artist];
    }
  }
  std::vector<ValueCount> values;
  values.reserve(counts.size());
  for (const auto& [id, count] : counts) values.push_back({id, {}, count});
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  values.resize(std::min<std::size_t>(values.size(), 50));
  return values;
}

void check(const Catalog& catalog, const SearchQuery& query, const std::vector<Track>& tracks,
           const std::function<bool(const Track&)>& matches) {
  const FacetCounts counts = catalog.facet_counts(query, kAsked);
  for (std::size_t i = 0; i < counts.of.size(); ++i) {
    const auto facet = static_cast<CountedFacet>(i);
    CAPTURE(std::string(kCountedFacetNames.at(i)));
    const bool is_asked = std::find(kAsked.begin(), kAsked.end(), facet) != kAsked.end();
    REQUIRE(counts.of.at(i).has_value() == is_asked);
    if (!is_asked) continue;
    std::vector<ValueCount> found = *counts.of.at(i);
    for (ValueCount& value : found) {
      CHECK_FALSE(value.label.empty());
      value.label.clear();
    }
    CHECK(found == counted(tracks, facet, matches));
  }
}

}  // namespace

TEST_CASE("SEARCH-11: counts equal those of a loop over the matches, whether all, many or few") {
  const std::vector<Track> tracks = many_tracks(6'000);
  const std::string bytes = snapshot_bytes(tracks);
  const auto paged = paged_snapshot_of_bytes(bytes, Blocks::immediate);
  for (const std::shared_ptr<const SqliteSnapshot>& snapshot :
       {snapshot_of_bytes(bytes), std::static_pointer_cast<const SqliteSnapshot>(paged)}) {
    const auto catalog = Catalog::open(snapshot, {}).value();
    SearchQuery query;
    query.match = WordMatch::all;
    check(*catalog, query, tracks, [](const Track&) { return true; });
    query.filters.duration_ms.max = 50'000;
    check(*catalog, query, tracks, [](const Track& track) { return track.duration_ms <= 50'000; });
    query.q = "rain";
    check(*catalog, query, tracks,
          [](const Track& track) { return track.duration_ms <= 50'000 && track.title == "rain"; });
    query.filters.duration_ms.max = 3'000;
    query.q = "rain night";
    query.match = WordMatch::most;
    check(*catalog, query, tracks, [](const Track& track) { return track.duration_ms <= 3'000; });
    query.q = "nowhere";
    check(*catalog, query, tracks, [](const Track&) { return false; });
    paged->end_request();
  }
}

TEST_CASE("SEARCH-11: a facet is counted without its own parameter, the others with it") {
  const std::vector<Track> tracks = many_tracks(3'000);
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query;
  query.match = WordMatch::all;
  query.tags[0] = {"g0", "g5"};
  query.tones = {Tone::dark};
  const auto has_genre = [](const Track& track) {
    const auto& genres = track.tags[0];
    return std::any_of(genres.begin(), genres.end(), [](const auto& tag) { return tag == "g0" || tag == "g5"; });
  };
  const auto is_dark = [](const Track& track) { return track.tone == Tone::dark; };
  const FacetCounts counts = catalog->facet_counts(query, kAsked);
  const auto equals = [&](CountedFacet facet, const std::function<bool(const Track&)>& matches) {
    std::vector<ValueCount> found = *counts.of.at(static_cast<std::size_t>(facet));
    for (ValueCount& value : found) value.label.clear();
    return found == counted(tracks, facet, matches);
  };
  CHECK(equals(CountedFacet::genre, is_dark));
  CHECK(equals(CountedFacet::tone, has_genre));
  CHECK(equals(CountedFacet::license, [&](const Track& track) { return is_dark(track) && has_genre(track); }));
  CHECK(equals(CountedFacet::creator, [&](const Track& track) { return is_dark(track) && has_genre(track); }));
}

TEST_CASE("SEARCH-13: without category, a search for effects counts no speech") {
  std::vector<Track> tracks = many_tracks(4);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].kind = Kind::sfx;
    tracks[i].category = find_category(i == 0 ? "fx-n" : "sp-s");
  }
  const auto catalog = make_memory_catalog(tracks);
  SearchQuery query;
  query.match = WordMatch::all;
  query.kind = Kind::sfx;
  query.categories = {"speech"};
  constexpr std::array kOnly{CountedFacet::category, CountedFacet::source};
  const FacetCounts counts = catalog->facet_counts(query, kOnly);
  CHECK(counts.of[static_cast<std::size_t>(CountedFacet::category)] ==
        std::vector<ValueCount>{{"fx-n", "Natural elements and explosions", 1}});
  CHECK(counts.of[static_cast<std::size_t>(CountedFacet::source)] ==
        std::vector<ValueCount>{{"example.org", "example.org", 3}});
}

TEST_CASE("SEARCH-11: tags with wrong posting list locations throw and do no harm") {
  const std::string bytes = snapshot_bytes(many_tracks(600));
  // For each tag: an offset far past the end, one inside a number, a count above the number of tracks.
  constexpr std::array<std::pair<std::size_t, std::uint32_t>, 3> kChanges{{{4, 0x7fff'ffffU}, {0, 1}, {8, ~0U}}};
  for (const auto& change : kChanges) {
    const std::size_t at = change.first;
    const std::uint32_t number = change.second;
    CAPTURE(at);
    const std::string hostile = modified_snapshot(bytes, "", [at, number](catalog::SectionId id, auto& data) {
      if (id != catalog::SectionId::tag_terms) return;
      REQUIRE_FALSE(data.empty());
      for (std::size_t tag = 0; tag < data.size(); tag += sizeof(catalog::PostingLocation)) {
        std::memcpy(data.data() + tag + at, &number, sizeof number);
      }
    });
    SearchQuery query;
    query.match = WordMatch::all;
    query.q = "rain";
    constexpr std::array kGenre{CountedFacet::genre};
    for (const std::shared_ptr<const SqliteSnapshot>& snapshot :
         {snapshot_of_bytes(hostile),
          std::static_pointer_cast<const SqliteSnapshot>(paged_snapshot_of_bytes(hostile, Blocks::immediate))}) {
      const auto catalog = Catalog::open(snapshot, {}).value();
      CHECK_THROWS_AS((void)catalog->facet_counts(query, kGenre), Failure);
    }
  }
}
