#include "tracks/string_table.h"

#include <doctest/doctest.h>

#include <unordered_map>

#include "fakes.h"

namespace tonearm::builder {

TEST_CASE("texts are found as in a map, also long and empty ones, and the first of equal ones") {
  test::SeededRandom random(1);
  StringTable ids;
  CHECK_FALSE(ids.find("a-1"));
  std::unordered_map<std::string, std::uint32_t> expected;
  std::vector<std::string> added;
  for (std::uint32_t i = 0; i < 30'000; ++i) {
    auto id = "source-" + std::to_string(random.below(40'000));
    if (i == 7) id.clear();
    if (i % 5000 == 8) id = std::string(70'000, static_cast<char>('a' + i % 26));
    ids.add(id);
    expected.emplace(id, i);
    added.push_back(std::move(id));
  }
  REQUIRE(ids.size() == added.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    CHECK((ids.text(i) == added[i]));
    CHECK(ids.find(added[i]) == expected.at(added[i]));
  }
  for (int i = 0; i < 50'000; ++i) {
    const auto id = "source-" + std::to_string(i);
    CHECK(ids.find(id).has_value() == expected.contains(id));
  }
}

}  // namespace tonearm::builder
