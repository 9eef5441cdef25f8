#include "oracle.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../catalog/sample_tracks.h"
#include "api/requests/search_parameters.h"
#include "oracle_random.h"
#include "tonearm/catalog.h"

namespace tonearm::test {
namespace {

using oracle::Oracle;
using oracle::Parameters;

constexpr std::uint64_t kSeed = 20260115;
constexpr int kMergeRounds = 40;
constexpr int kMergesOfRound = 50;

/// Ids of tracks, some of them repeated and some unknown.
Ids any_ids(SeededRandom& random, const std::vector<Track>& tracks, std::uint64_t most) {
  Ids ids;
  for (std::uint64_t i = random.below(most + 1); i > 0; --i) {
    const bool gone = random.below(20) == 0;
    const bool repeated = !ids.empty() && random.below(10) == 0;
    ids.push_back(gone ? "gone-" + std::to_string(i) : tracks[random.below(tracks.size())].id);
    if (repeated) ids.back() = ids.front();
  }
  return ids;
}

/// Builds the query like the endpoint: the API reads the parameters, the rest is filled in.
MergeQuery query_of(const Parameters& parameters, Ids seeds, Ids excluded) {
  const std::string text = oracle::query_string(parameters);
  const auto values =
      api::parse_query(std::string_view(text).substr(text.empty() ? 0 : 1), table::kCollectionSimilarParameters.query);
  REQUIRE(values.has_value());
  const auto read = api::to_merge_query(api::arguments_of(table::kCollectionSimilarParameters, *values));
  REQUIRE(read.has_value());
  MergeQuery query = *read;
  query.seeds = std::move(seeds);
  query.excluded = std::move(excluded);
  return query;
}

void check_merge(const Catalog& catalog, const MergeQuery& query, const Ids& all) {
  const Page page = catalog.merge_similar(query);
  const std::size_t first = std::min<std::size_t>(query.offset, all.size());
  const std::size_t last = std::min<std::size_t>(first + query.limit, all.size());
  CHECK(page.total == all.size());
  CHECK(ids(catalog, page.tracks) ==
        Ids(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)));
}

}  // namespace

TEST_CASE("Merged neighbors equal those of a naive reference, in totals, members and order" *
          doctest::test_suite("long")) {
  oracle::Words words;
  std::uint64_t found = 0;
  for (int round = 0; round < kMergeRounds; ++round) {
    SeededRandom random(kSeed + static_cast<std::uint64_t>(round));
    CAPTURE(round);
    const oracle::RandomCatalog input = oracle::random_catalog(random, 1 + random.below(300));
    words.learn(oracle::texts_of(input));
    const Oracle reference(input.tracks, input.options, words);
    const auto catalog = make_memory_catalog(input.tracks, input.options, {.allow_evaluation = true});
    for (int i = 0; i < kMergesOfRound; ++i) {
      CAPTURE(i);
      Parameters parameters = oracle::random_similar(random);
      const Ids seeds = any_ids(random, input.tracks, 10);
      const Ids excluded = any_ids(random, input.tracks, 40);
      MergeQuery query = query_of(parameters, seeds, excluded);
      query.hide_non_commercial = random.below(3) == 0;
      query.limit = static_cast<std::uint32_t>(1 + random.below(50));
      if (random.below(3) == 0) query.offset = static_cast<std::uint32_t>(random.below(60));
      auto all = reference.merged_similar(seeds, {excluded.begin(), excluded.end()}, parameters);
      if (query.hide_non_commercial) {
        parameters.emplace("commercial", "true");
        const bool keeps_none = parameters.at("commercial") == "false";
        all = keeps_none ? Ids{} : reference.merged_similar(seeds, {excluded.begin(), excluded.end()}, parameters);
      }
      check_merge(*catalog, query, all);
      found += all.size();
    }
  }
  CHECK(found > 10'000);
}

}  // namespace tonearm::test
