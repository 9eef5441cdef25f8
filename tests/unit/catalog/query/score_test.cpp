#include "catalog/query/score.h"

#include <doctest/doctest.h>

using namespace tonearm::catalog;

namespace {

constexpr std::uint32_t kMiddling = 500;

FieldCounts only(std::uint32_t FieldCounts::*field, std::uint32_t count = 1) {
  FieldCounts counts;
  counts.*field = count;
  counts.title_length = 4;
  counts.artist_length = 2;
  return counts;
}

std::uint8_t impact_of(const FieldCounts& counts) { return impact(counts, kMiddling); }

}  // namespace

TEST_CASE("a title scores more than tags, then artist, category and description") {
  CHECK(impact_of(only(&FieldCounts::title)) > impact_of(only(&FieldCounts::tags)));
  CHECK(impact_of(only(&FieldCounts::tags)) > impact_of(only(&FieldCounts::artist)));
  CHECK(impact_of(only(&FieldCounts::artist)) > impact_of(only(&FieldCounts::category)));
  CHECK(impact_of(only(&FieldCounts::category)) > impact_of(only(&FieldCounts::description, 100)));
  CHECK(impact(only(&FieldCounts::description), 0) >= 1);
}

TEST_CASE("repeated words soon add nothing") {
  CHECK(impact_of(only(&FieldCounts::description, 3)) == impact_of(only(&FieldCounts::description, 400)));
  CHECK(impact_of(only(&FieldCounts::title, 2)) == impact_of(only(&FieldCounts::title)));
  CHECK(impact({1'000, 1'000, 1'000, 1'000, 1'000, 1'000, 1, 1}, 1'000) == 255);
}

TEST_CASE("a word of a short title scores more, and a whole title most") {
  FieldCounts counts = only(&FieldCounts::title);
  const auto of_words = [&](std::uint32_t words) {
    counts.title_length = words;
    return impact_of(counts);
  };
  CHECK(of_words(1) > of_words(2));
  CHECK(of_words(2) > of_words(4));
  // More than a word of a title that is also a tag.
  FieldCounts tagged = only(&FieldCounts::title);
  tagged.title_length = 2;
  tagged.tags = tagged.whole_tags = 1;
  CHECK(of_words(1) > impact_of(tagged));
}

TEST_CASE("a whole field scores more than a word of it") {
  FieldCounts whole = only(&FieldCounts::tags);
  whole.whole_tags = 1;
  CHECK(impact_of(whole) > impact_of(only(&FieldCounts::tags)));
  CHECK(impact_of(whole) > impact_of(only(&FieldCounts::title)));
  FieldCounts artist = only(&FieldCounts::artist);
  artist.artist_length = 1;
  CHECK(impact_of(artist) > impact_of(only(&FieldCounts::artist)));
}

TEST_CASE("quality makes a smaller difference than any text") {
  const auto of_quality = [](std::uint32_t quality) { return impact(only(&FieldCounts::category), quality); };
  CHECK(of_quality(1'000) > of_quality(500));
  CHECK(of_quality(500) > of_quality(0));
  CHECK(of_quality(1'000) < impact(only(&FieldCounts::artist), 0));
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
