#include "catalog/index/thesaurus.h"

#include <doctest/doctest.h>

#include <cstring>
#include <map>

#include "fakes.h"
#include "tonearm/result.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

constexpr std::size_t kHeadBytes = 16;  // of an entry: hash, size, number of targets

std::vector<ThesaurusTarget> some_targets(test::SeededRandom& random) {
  std::vector<ThesaurusTarget> targets(1 + random.below(5));
  for (ThesaurusTarget& target : targets) {
    target.relation = static_cast<Relation>(random.below(2));
    target.weight = static_cast<std::uint8_t>(1 + random.below(255));
    for (std::uint64_t i = random.below(kRelatedWordsMax) + 1; i > 0; --i) {
      target.terms.push_back({random.next(), {static_cast<std::uint32_t>(random.below(9)), 1, 2}, 0});
    }
  }
  return targets;
}

}  // namespace

TEST_CASE("every entry of the thesaurus is found, and no other") {
  test::SeededRandom random(5);
  for (const std::size_t count : {0U, 1U, 2U, 16U, 17U, 33U, 3'000U}) {
    // The lowest and highest hashes test the bounds of the search.
    std::map<std::uint64_t, std::vector<ThesaurusTarget>> expected;
    std::vector<ThesaurusEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t hash = i < 3 ? ~std::uint64_t{0} * (i % 2) + (i / 2) : random.next();
      expected[hash] = some_targets(random);
      entries.push_back({hash, expected[hash]});
    }
    const std::string section = encode_thesaurus(entries);
    const Thesaurus thesaurus{Extent(section)};
    for (const auto& [hash, targets] : expected) {
      CHECK(thesaurus.find(hash) == targets);
      if (!expected.contains(hash + 1)) CHECK(thesaurus.find(hash + 1).empty());
    }
    for (int i = 0; i < 100; ++i) CHECK(thesaurus.find(random.next()).empty());
  }
}

TEST_CASE("the hash of a phrase depends on its words and their order") {
  using Stems = std::vector<std::string>;
  const auto hash = [](const Stems& stems) { return thesaurus_hash(stems); };
  CHECK(hash({"machin", "gun"}) == hash({"machin", "gun"}));
  CHECK(hash({"machin", "gun"}) != hash({"gun", "machin"}));
  CHECK(hash({"machin", "gun"}) != hash({"machingun"}));
}

TEST_CASE("a damaged entry of the thesaurus is rejected when it is read") {
  const std::string section = encode_thesaurus({{7, {{Relation::narrower, 100, {{64, {1, 2, 3}, 0}}}}}});
  REQUIRE(Thesaurus(Extent(section)).find(7).size() == 1);
  const std::size_t entry = section.size() - kHeadBytes - 8 - sizeof(PostingLocation);
  const auto message_of = [&](std::size_t at, std::uint32_t number) {
    std::string changed = section;
    std::memcpy(changed.data() + at, &number, sizeof number);
    try {
      static_cast<void>(Thesaurus(Extent(changed)).find(7));
    } catch (const Failure& failure) {
      return std::string(failure.what()).substr(std::string("the snapshot is damaged: ").size());
    }
    return std::string("it is read");
  };
  CHECK(message_of(0, 0xffff'ffffU) == "an array is truncated");
  CHECK(message_of(entry - 4, 0xffff'ffffU) == "it is read");  // the padding of the starts
  CHECK(message_of(entry - 8, 0xffff'ffffU) == "the starts of the thesaurus are wrong");
  CHECK(message_of(entry + 8, 0) == "an entry of the thesaurus has the wrong size");
  CHECK(message_of(entry + 8, 15) == "an entry of the thesaurus has the wrong size");
  CHECK(message_of(entry + 8, 17) == "a section is truncated");
  CHECK(message_of(entry + 8, 0xffff'ffffU) == "a section is truncated");
  CHECK(message_of(entry + 12, 0) == "an entry of the thesaurus has the wrong size");
  CHECK(message_of(entry + 12, 2) == "a section is truncated");
  CHECK(message_of(entry + 12, 0xffff'ffffU) == "an entry of the thesaurus has too many targets");
  // Relation 2; weight 0; no terms; too many terms.
  CHECK(message_of(entry + kHeadBytes, 0x0001'6402U) == "a target of the thesaurus is wrong");
  CHECK(message_of(entry + kHeadBytes, 0x0001'0000U) == "a target of the thesaurus is wrong");
  CHECK(message_of(entry + kHeadBytes, 0x0000'6400U) == "a target of the thesaurus is wrong");
  CHECK(message_of(entry + kHeadBytes, 0x0004'6400U) == "a target of the thesaurus is wrong");
}
