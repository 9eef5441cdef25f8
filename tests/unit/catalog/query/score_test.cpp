#include "catalog/query/score.h"

#include <doctest/doctest.h>

using namespace tonearm::catalog;

namespace {

constexpr std::uint32_t kMiddling = 500;
/// Four words, five tags, twenty words, and five hidden words.
constexpr AverageLengths kAverage{4 * 256, 5 * 256, 20 * 256, 5 * 256};

FieldCounts only(std::uint32_t FieldCounts::*field, std::uint32_t count = 1) {
  FieldCounts counts;
  counts.*field = count;
  counts.title_length = 4;
  counts.tags_length = 5;
  counts.description_length = 20;
  counts.hidden_length = 5;
  return counts;
}

std::uint8_t impact_of(const FieldCounts& counts) { return impact(counts, kAverage, kMiddling); }

}  // namespace

TEST_CASE("fields of average length score by their weights") {
  CHECK(impact_of(only(&FieldCounts::tags)) > impact_of(only(&FieldCounts::title)));
  CHECK(impact_of(only(&FieldCounts::title)) > impact_of(only(&FieldCounts::description)));
  CHECK(impact_of(only(&FieldCounts::description)) > impact_of(only(&FieldCounts::hidden)));
  CHECK(impact_of(only(&FieldCounts::hidden)) > impact_of(only(&FieldCounts::category)));
  CHECK(impact_of(only(&FieldCounts::category)) > impact_of(only(&FieldCounts::artist)));
  CHECK(impact({}, kAverage, 0) == 1);
}

TEST_CASE("occurrences in several fields add up") {
  FieldCounts both = only(&FieldCounts::title);
  both.tags = 1;
  CHECK(impact_of(both) > impact_of(only(&FieldCounts::title)));
  CHECK(impact_of(both) > impact_of(only(&FieldCounts::tags)));
}

TEST_CASE("a second occurrence adds less, further ones nothing, and none overflows") {
  const auto of_times = [](std::uint32_t times) { return impact_of(only(&FieldCounts::description, times)); };
  CHECK(of_times(2) > of_times(1));
  CHECK(of_times(2) < 2 * of_times(1));
  CHECK(of_times(400) == of_times(2));
  constexpr std::uint32_t kMost = 0xffff'ffffU;
  CHECK(impact({kMost, kMost, kMost, kMost, kMost, kMost, 1, 1, 1}, {kMost, kMost, kMost}, 1'000) > kWholeTitleImpact);
  CHECK(impact({1, 1, 1, 0, 0, 1, kMost, kMost, kMost}, {1, 1, 1}, 0) == 1);
}

TEST_CASE("a word of a short title scores more, and a whole title most") {
  FieldCounts counts = only(&FieldCounts::title);
  const auto of_words = [&](std::uint32_t words) {
    counts.title_length = words;
    return impact_of(counts);
  };
  CHECK(of_words(1) > of_words(2));
  CHECK(of_words(2) > of_words(4));
  CHECK(of_words(4) > of_words(8));
  // More than any longer title, whatever else the track has.
  const FieldCounts rich{2, 9, 9, 9, 1, 99, 2, 9, 99};
  CHECK(of_words(1) > impact(rich, kAverage, 1'000));
}

TEST_CASE("a word of a short description scores more") {
  FieldCounts few = only(&FieldCounts::description);
  few.description_length = 5;
  CHECK(impact_of(few) > impact_of(only(&FieldCounts::description)));
}

TEST_CASE("a tag that fits no facet scores less on a track with many") {
  FieldCounts many = only(&FieldCounts::hidden);
  many.hidden_length = 25;
  CHECK(impact_of(many) < impact_of(only(&FieldCounts::hidden)));
}

TEST_CASE("AUTO-6: a close relation adds to the impact, and a tag weighs half as much again") {
  CHECK(close_boost(100, 127) == 0);
  CHECK(close_boost(100, 128) == 6'400);
  CHECK(tag_weight(100) == 150);
}

TEST_CASE("a tag scores more on a track with few tags, and as a whole tag") {
  FieldCounts few = only(&FieldCounts::tags);
  few.tags_length = 2;
  CHECK(impact_of(few) > impact_of(only(&FieldCounts::tags)));
  FieldCounts whole = only(&FieldCounts::tags);
  whole.whole_tags = 1;
  CHECK(impact_of(whole) > impact_of(only(&FieldCounts::tags)));
}

TEST_CASE("lengths count relative to the average") {
  const FieldCounts counts = only(&FieldCounts::title);
  CHECK(impact(counts, {8 * 256, 256, 256}, 0) > impact(counts, {4 * 256, 256, 256}, 0));
  CHECK(average_256(0, 0) == 256);
  CHECK(average_256(7, 2) == 896);
  CHECK(average_256(1, 3) == 85);
}

TEST_CASE("quality makes a smaller difference than any text") {
  const auto of_quality = [](std::uint32_t quality) { return impact(only(&FieldCounts::category), kAverage, quality); };
  CHECK(of_quality(1'000) > of_quality(500));
  CHECK(of_quality(500) > of_quality(0));
  CHECK(impact({}, kAverage, 1'000) < impact(only(&FieldCounts::artist), kAverage, 0));
}

TEST_CASE("a synonym weighs less than the query term") {
  CHECK(synonym_weight(1'000, 100, 1) == 50);
  CHECK(synonym_weight(60, 100, 1) == 30);
  CHECK(synonym_weight(1'000, 100, 2) == 12);
  CHECK(synonym_weight(1, 1, 3) == 1);
}

TEST_CASE("a synonym's boost is half of its own, and at most half of that of the query terms") {
  CHECK(synonym_boost(90, 100) == 45);
  CHECK(synonym_boost(200, 100) == 50);
}

TEST_CASE("a whole title outweighs a few words, and a whole tag a pair of the title") {
  CHECK(kWholeBoost > 10 * 255 * term_weight(1, 100'000));
  CHECK(tag_boost(1'000) > pair_boost(1'000));
}

TEST_CASE("logarithms are exact in their digits") {
  CHECK(log2_256(2) == 256);
  CHECK(log2_256(0xffff'ffff'ffff'ffffU) == 64 * 256 - 1);
  for (std::uint64_t x = 1; x < 5'000; ++x) REQUIRE(log2_256(x) <= log2_256(x + 1));
}

TEST_CASE("rare words weigh more, and every word weighs something") {
  CHECK(term_weight(1, 1'000'000) > term_weight(1'000, 1'000'000));
  CHECK(term_weight(1'000'000, 1'000'000) >= 1);
  CHECK(term_weight(1, 1) >= 1);
  CHECK(add_score(0xffff'fff0U, 100) == 0xffff'ffffU);
}
