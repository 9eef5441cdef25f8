#include "catalog/writer/sampled_searches.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../sample_tracks.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "tonearm/sql.h"

using namespace tonearm;
using namespace tonearm::test;
using catalog::check_sampled_searches;
using catalog::SectionId;

namespace {

std::string rainy_snapshot() {
  std::vector<Track> tracks;
  for (int i = 0; i < 90; ++i) {
    tracks.push_back(
        music("x-" + std::to_string(i), i % 2 == 0 ? "Running rains " + std::to_string(i % 7) : "The calm"));
    tracks.back().artist = i % 3 == 0 ? "" : "Ann With Rain";
    tracks.back().duration_ms = 1'000 + static_cast<std::uint64_t>(i % 11) * 977;
    if (i % 5 == 0) tracks.back().tags[0] = {"hip-hop", "ambient"};
    if (i % 4 == 0) tracks.back().license = LicenseId::cc_by_4_0;
    if (i % 6 == 0) tracks.back().kind = Kind::sfx;
    if (i % 12 == 0) tracks.back().category = find_category("sp-s");
    tracks.back().taken_down = i == 7;
  }
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}};
  return snapshot_bytes(tracks, options);
}

void check(const std::string& bytes) {
  const auto snapshot = snapshot_of_bytes(bytes);
  const auto opened = Catalog::open(snapshot, {});
  REQUIRE(opened.has_value());
  check_sampled_searches(*snapshot, **opened);
}

}  // namespace

// PROGRAM-25
TEST_CASE("searches derived from the tracks agree with a scan of them") {
  CHECK_NOTHROW(check(rainy_snapshot()));
  CHECK_NOTHROW(check(snapshot_bytes({})));
}

// PROGRAM-25
TEST_CASE("a realistic search detects an index that differs from its tracks") {
  const std::string bytes = rainy_snapshot();
  const auto changed_by = [&](SectionId section, auto change) {
    return modified_snapshot(bytes, "", [&](SectionId id, std::string& data) {
      if (id == section) change(data);
    });
  };
  // Every second member of lists contradicts the tracks.
  CHECK_THROWS_WITH_AS(check(changed_by(SectionId::postings,
                                        [](std::string& data) {
                                          for (std::size_t i = 0; i < data.size(); i += 8) data[i] = 0;
                                        })),
                       doctest::Contains("snapshot"), Failure);
  CHECK_THROWS_WITH_AS(
      check(changed_by(SectionId::duration_ms, [](std::string& data) { data.assign(data.size(), 1); })),
      doctest::Contains("a search differs from a scan of the tracks"), Failure);
  // Ranks and order agree with each other, but not with the durations.
  const std::string reordered = modified_snapshot(bytes, "", [](SectionId id, std::string& data) {
    const auto at = [&](std::size_t i) { return data.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t i = 0; i + 8 <= data.size(); i += 8) {
      if (id == SectionId::order_long) std::swap_ranges(at(i), at(i + 4), at(i + 4));
      if (id != SectionId::rank_long) continue;
      data[i] = static_cast<char>(data[i] ^ 1);
      data[i + 4] = static_cast<char>(data[i + 4] ^ 1);
    }
  });
  CHECK_THROWS_WITH_AS(check(reordered), doctest::Contains("others come first"), Failure);
}
