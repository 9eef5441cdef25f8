#include "state/collections/sort_keys.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace tonearm::state;

namespace {

using Now = std::vector<std::optional<std::int64_t>>;

bool grows(const std::vector<std::int64_t>& sort_keys) {
  return std::adjacent_find(sort_keys.begin(), sort_keys.end(), std::greater_equal<>()) == sort_keys.end();
}

std::size_t changed(const Now& now, const std::vector<std::int64_t>& sort_keys) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < now.size(); ++i) count += now[i] == std::optional(sort_keys[i]) ? 0U : 1U;
  return count;
}

Now as_now(const std::vector<std::int64_t>& sort_keys) { return {sort_keys.begin(), sort_keys.end()}; }

}  // namespace

TEST_CASE("adding, moving or removing one row keeps the sort keys of all others") {
  const Now now = as_now(assign_sort_keys(Now(500)));
  Now added = now;
  added.emplace_back();
  CHECK(changed(added, assign_sort_keys(added)) == 1);
  Now removed = now;
  removed.erase(removed.begin());
  CHECK(changed(removed, assign_sort_keys(removed)) == 0);
  for (const std::size_t to : {std::size_t{0}, std::size_t{250}, std::size_t{499}}) {
    for (const std::size_t from : {std::size_t{0}, std::size_t{17}, std::size_t{499}}) {
      Now moved = now;
      const auto row = moved[from];
      moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
      moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), row);
      const auto sort_keys = assign_sort_keys(moved);
      CHECK(grows(sort_keys));
      CHECK(changed(moved, sort_keys) == (from == to ? 0 : 1));
    }
  }
}

TEST_CASE("sort keys stay ascending after any moves, even if a gap is used up") {
  std::mt19937_64 random(11);
  Now now = as_now(assign_sort_keys(Now(7)));
  std::size_t written = 0;
  for (int step = 0; step < 5'000; ++step) {
    switch (random() % 5) {
      case 0:
        std::shuffle(now.begin(), now.end(), random);
        break;
      case 1:
        if (now.size() > 2) now.erase(now.begin() + 1);
        break;
      case 2:
        now.insert(now.begin() + static_cast<std::ptrdiff_t>(random() % (now.size() + 1)), std::nullopt);
        break;
      default:  // always between the same two, so that the gap is used up
        std::rotate(now.begin() + 1, now.end() - 1, now.end());
        break;
    }
    const auto sort_keys = assign_sort_keys(now);
    REQUIRE(sort_keys.size() == now.size());
    REQUIRE(grows(sort_keys));
    written += changed(now, sort_keys);
    now = as_now(sort_keys);
  }
  CHECK(written < 5'000 * now.size());
}

TEST_CASE("lists with missing, equal or extreme sort keys get valid ones") {
  CHECK(assign_sort_keys({}).empty());
  CHECK(assign_sort_keys({std::nullopt}).size() == 1);
  CHECK(grows(assign_sort_keys({5, 5, 5})));
  CHECK(grows(assign_sort_keys({1, std::nullopt, 2})));
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  CHECK(grows(assign_sort_keys({std::int64_t{1} << 60, std::nullopt})));
  CHECK(grows(assign_sort_keys({std::nullopt, -(std::int64_t{1} << 60)})));
  CHECK(grows(assign_sort_keys({std::nullopt, kLeast / 4, std::nullopt, kMost / 4, std::nullopt})));
}

TEST_CASE("no assigned sort key reaches 2^53, which not every database can store") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 53;
  for (const std::int64_t last : {std::int64_t{0}, (kLimit >> 1) - 1, kLimit - 2, std::int64_t{1} << 60}) {
    CAPTURE(last);
    CHECK(assign_sort_keys({last - 1, last, std::nullopt}).back() < kLimit);
    CHECK(assign_sort_keys({std::nullopt, -last, 1 - last}).front() > -kLimit);
  }
}
