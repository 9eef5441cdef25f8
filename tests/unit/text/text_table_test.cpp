#include "text/text_table.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "fakes.h"

using namespace tonearm;
using tonearm::text::TextTable;

TEST_CASE("a text table has the values that were inserted, one by one or several at once, while it grows") {
  test::SeededRandom random(11);
  TextTable<std::uint32_t> table;
  std::map<std::string, std::uint32_t, std::less<>> expected;
  const auto any_text = [&] {
    return std::to_string(random.next() % 20'000) + std::string(random.next() % 3 * 12, 'x');
  };
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::string> texts(random.next() % 20);
    for (std::string& text : texts) text = any_text();
    const std::vector<std::uint32_t*> values = table.find_or_insert(texts);
    REQUIRE(values.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CHECK(*values[i] == expected[texts[i]]);
      *values[i] = ++expected[texts[i]];
    }
    const std::string one = any_text();
    CHECK(++table[one] == ++expected[one]);
  }
  CHECK(table.size() == expected.size());
  table.each([&](const auto& entry) { CHECK(entry.value == expected.at(entry.text)); });
  for (const auto& [text, value] : expected) CHECK(*table.find(text) == value);
}

TEST_CASE("values of a text table keep their addresses while it grows") {
  TextTable<std::uint32_t> table;
  std::uint32_t* first = &table["first"];
  *first = 7;
  for (std::uint32_t i = 0; i < 10'000; ++i) table[std::to_string(i)] = i;
  CHECK(&table["first"] == first);
  CHECK(*first == 7);
}

TEST_CASE("a text table finds nothing in an empty table, no other text, and the empty text once it is inserted") {
  TextTable<int> table;
  CHECK(table.find("") == nullptr);
  table["b"] = 1;
  CHECK(table.find("") == nullptr);
  CHECK(table.find("bb") == nullptr);
  table[""] = 2;
  CHECK(*table.find("") == 2);
  CHECK(table.find_or_insert({}).empty());
}
