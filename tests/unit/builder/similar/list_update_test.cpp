#include "similar/list_update.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "fakes.h"

namespace tonearm::builder {
namespace {

/// A track's closeness to all tracks of a pool.
using All = std::vector<Closeness>;

std::vector<Traits> random_traits(test::SeededRandom& random, std::size_t count) {
  const auto artists = std::array{1U, 2U, 4U, 15U, 60U}[random.below(5)];
  const bool are_some_unnamed = random.below(3) == 0;
  const auto commercial = random.below(5);
  const auto without_credit = random.below(5);
  std::vector<Traits> traits(count);
  for (auto& it : traits) {
    if (!are_some_unnamed || random.below(4) != 0) it.artist = static_cast<std::uint32_t>(random.below(artists));
    it.terms = Traits::terms_of(random.below(5) < commercial, random.below(5) < without_credit);
  }
  return traits;
}

All random_closeness(test::SeededRandom& random, std::size_t count) {
  const auto lowest = std::array{-9'000, -8'070, -8'064, -7'900, -4'000, 0, 5'000}[random.below(7)];
  const auto range = std::array{1U, 3U, 20U, 200U, 3'000U, 16'000U}[random.below(6)];
  All all;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.emplace_back(static_cast<std::int16_t>(lowest + static_cast<int>(random.below(range))), i);
  }
  return all;
}

/// Gives some tracks terms, takes some of theirs, or both.
void change_terms(std::vector<Traits>& traits, test::SeededRandom& random) {
  const auto one_in = std::array{200U, 60U, 20U, 8U, 3U}[random.below(5)];
  const auto way = random.below(4);
  for (auto& it : traits) {
    if (random.below(one_in) != 0) continue;
    const auto terms = static_cast<std::uint8_t>(random.below(Traits::kTermsEnd));
    it.terms = static_cast<std::uint8_t>(way == 0 ? it.terms | terms : way == 1 ? it.terms & ~terms : terms);
  }
}

/// Ranks every track.
NeighborLists naive_lists(const All& all, const std::vector<Traits>& traits) {
  NeighborLists lists;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const NeighborLimits& limits = kNeighborLists[i];
    for (const auto track : all) {
      const Traits& of = traits[track.index()];
      if ((limits.terms & ~of.terms) == 0) lists[i].push_back({track, of.artist, 0});
    }
    rank_neighbors(lists[i]);
    if (lists[i].size() > limits.count_max) lists[i].resize(limits.count_max);
  }
  return lists;
}

NeighborLists lists_of(const std::vector<std::uint32_t>& indices, const All& all, const std::vector<Traits>& traits) {
  NeighborCollector best;
  for (const auto index : indices) best.add(all[index], traits[index]);
  return best.take();
}

}  // namespace

// BUILD-25
TEST_CASE("lists that are final are those of ranking every track") {
  test::SeededRandom random(17);
  int final_count = 0;
  int searched_count = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t count = 20 + random.below(round % 3 == 0 ? 60 : 260);
    const auto before = random_traits(random, count);
    const auto all = random_closeness(random, count);
    auto now = before;
    change_terms(now, random);
    auto known = merge_lists(naive_lists(all, before));
    const auto lists_before = lists_of(known, all, before);
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool has_gained = (now[i].terms & ~before[i].terms) != 0;
      if (has_gained && std::find(known.begin(), known.end(), i) == known.end()) known.push_back(i);
    }
    const auto updated = lists_of(known, all, now);
    if (!are_final(lists_before, updated, now)) {
      ++searched_count;
      continue;
    }
    ++final_count;
    const auto expected = naive_lists(all, now);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(std::equal(updated[i].begin(), updated[i].end(), expected[i].begin(), expected[i].end(),
                       [](const auto& a, const auto& b) { return a.track == b.track; }));
    }
  }
  CHECK(final_count > 10'000);
  CHECK(searched_count > 1'000);
}

}  // namespace tonearm::builder
