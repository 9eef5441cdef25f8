#include "catalog/score.h"

#include <doctest/doctest.h>

using namespace tonearm::catalog;

namespace {

FieldCounts only(std::uint32_t FieldCounts::*field, std::uint32_t count = 1) {
  FieldCounts counts;
  counts.*field = count;
  counts.title_words = 4;
  return counts;
}

}  // namespace

TEST_CASE("a title says more than tags, then artist, category and description") {
  CHECK(impact(only(&FieldCounts::title)) > impact(only(&FieldCounts::tags)));
  CHECK(impact(only(&FieldCounts::tags)) > impact(only(&FieldCounts::artist)));
  CHECK(impact(only(&FieldCounts::artist)) > impact(only(&FieldCounts::category)));
  CHECK(impact(only(&FieldCounts::category)) > impact(only(&FieldCounts::description)));
  CHECK(impact(only(&FieldCounts::description)) >= 1);
}

TEST_CASE("further mentions of a word soon count no more") {
  CHECK(impact(only(&FieldCounts::description, 4)) == impact(only(&FieldCounts::description, 400)));
  CHECK(impact({1'000, 1'000, 1'000, 1'000, 1'000, 1}) <= 255);
}

TEST_CASE("a word of a short title says more") {
  FieldCounts shorter = only(&FieldCounts::title);
  shorter.title_words = 1;
  CHECK(impact(shorter) > impact(only(&FieldCounts::title)));
}

TEST_CASE("logarithms are exact in their digits") {
  CHECK(log2_256(2) == 256);
  CHECK(log2_256(0xffff'ffff'ffff'ffffU) == 64 * 256 - 1);
  for (std::uint64_t x = 1; x < 5'000; ++x) REQUIRE(log2_256(x) <= log2_256(x + 1));
}

TEST_CASE("rare words weigh more, and every word weighs something") {
  CHECK(word_weight(1, 1'000'000) > word_weight(1'000, 1'000'000));
  CHECK(word_weight(1'000'000, 1'000'000) >= 1);
  CHECK(word_weight(1, 1) >= 1);
  CHECK(add_score(0xffff'fff0U, 100) == 0xffff'ffffU);
}
