#include "state/schema.h"

#include <doctest/doctest.h>

#include <array>
#include <set>

#include "account_fixture.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"

using namespace tonearm;
using namespace tonearm::state;
using test::query;

TEST_CASE("reopening returns the same secret and counts the run") {
  const auto store = test::open_state_store(":memory:");
  test::SeededRandom random(1);
  const OpenedSchema first = open_schema(*store, random, "");
  const OpenedSchema second = open_schema(*store, random, "");
  CHECK(first.key_secret.size() == 64);
  CHECK(second.key_secret == first.key_secret);
  CHECK(first.run == 1);
  CHECK(second.run == 2);
  CHECK(open_schema(*store, random, "given").key_secret == "given");
  CHECK(open_schema(*store, random, "").key_secret == first.key_secret);
}

TEST_CASE("with a given secret no random bytes are drawn, so that all hosts draw the same numbers") {
  const auto store = test::open_state_store(":memory:");
  test::SeededRandom random(1);
  test::SeededRandom untouched(1);
  open_schema(*store, random, "given");
  std::array<std::uint8_t, 8> drawn{};
  std::array<std::uint8_t, 8> expected{};
  random.fill(drawn);
  untouched.fill(expected);
  CHECK(drawn == expected);
}

TEST_CASE("a state of a newer version is rejected and not changed") {
  const auto store = test::open_state_store(":memory:");
  test::SeededRandom random(1);
  open_schema(*store, random, "");
  query(*store, "UPDATE state_meta SET value = '99' WHERE name = 'schema_version'");
  CHECK_THROWS_WITH_AS(open_schema(*store, random, ""), doctest::Contains("newer version"), sql::Failure);
  CHECK(query(*store, "SELECT value FROM state_meta WHERE name = 'runs'").at(0).at(0) == sql::Value(std::string("1")));
  query(*store, "UPDATE state_meta SET value = 'x' WHERE name = 'schema_version'");
  CHECK_THROWS_WITH_AS(open_schema(*store, random, ""), doctest::Contains("damaged"), sql::Failure);
}
