#include "similar/feature_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "rows_of.h"

namespace tonearm::builder {
namespace {

using Named = std::pair<std::uint64_t, std::uint32_t>;  // name and weight

/// Returns the features of a row in the order of their numbers.
std::vector<Named> named(const FeatureRows& rows, std::size_t index) {
  std::vector<Named> result;
  for (const auto& entry : rows.row(index)) result.emplace_back(rows.names()[entry.feature], entry.weight);
  return result;
}

}  // namespace

TEST_CASE("features of one track are omitted, and rarer features weigh more") {
  const std::vector<Track> tracks{test::titled("river mill lonely"), test::titled("river mill"), test::titled("river"),
                                  test::titled("river")};
  const auto rows = test::rows_of(tracks);
  REQUIRE(rows.size() == 4);
  REQUIRE(rows.names().size() == 2);
  REQUIRE(rows.row(0).size() == 2);
  const auto [a, b] = std::pair(rows.row(0)[0], rows.row(0)[1]);
  CHECK((rows.counts()[a.feature] < rows.counts()[b.feature]) == (a.weight > b.weight));
}

TEST_CASE("numbers of features do not depend on the order in which rows are appended") {
  constexpr std::uint32_t kCount = 3'000;  // several blocks
  std::vector<Track> tracks;
  tracks.reserve(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    tracks.push_back(
        test::titled("river word" + std::string(1 + i % 7, 'a') + " own" + std::string(1 + i % 1'999, 'b')));
  }
  const auto rows = test::rows_of(tracks);
  const WordTable words;
  FeatureReader reader(words);
  FeatureRows reversed;
  for (auto it = tracks.rbegin(); it != tracks.rend(); ++it) reversed.append(reader.features_of(*it));
  std::vector<std::uint32_t> order(kCount);
  std::iota(order.rbegin(), order.rend(), 0U);
  reversed.finish(order, 2);
  REQUIRE(reversed.size() == kCount);
  CHECK(std::ranges::equal(reversed.names(), rows.names()));
  CHECK(std::ranges::equal(reversed.counts(), rows.counts()));
  for (std::uint32_t i = 0; i < kCount; ++i) {
    CHECK(named(reversed, i) == named(rows, i));
    CHECK(reversed.share_distinctive_feature(i, (i + 1'999) % kCount) ==
          rows.share_distinctive_feature(i, (i + 1'999) % kCount));
  }
}

}  // namespace tonearm::builder
