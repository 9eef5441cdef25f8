#include "text/unique.h"

#include <doctest/doctest.h>

#include <string>

using namespace tonearm::text;

namespace {

/// Counts comparisons.
struct Counted {
  std::size_t value = 0;
  std::size_t* comparisons = nullptr;

  friend bool operator<(const Counted& a, const Counted& b) {
    ++*a.comparisons;
    return a.value < b.value;
  }
  friend bool operator==(const Counted& a, const Counted& b) {
    ++*a.comparisons;
    return a.value == b.value;
  }
};

}  // namespace

// QUERY-6
TEST_CASE("the first of equal values is kept, and the order is preserved") {
  std::vector<std::string> values{"b", "a", "b", "c", "a", "a", "d"};
  keep_first_of_equals(values);
  CHECK(values == std::vector<std::string>{"b", "a", "c", "d"});
  std::vector<std::string> none;
  keep_first_of_equals(none);
  CHECK(none.empty());
  keep_first_of_equals(values);
  CHECK(values.size() == 4);
}

TEST_CASE("a long list needs few comparisons for each value") {
  std::size_t comparisons = 0;
  std::vector<Counted> values;
  for (std::size_t i = 0; i < 4'000; ++i) values.push_back({i * 7'919 % 3'001, &comparisons});
  keep_first_of_equals(values);
  CHECK(values.size() == 3'001);
  CHECK(comparisons < 4'000 * 20);
}
