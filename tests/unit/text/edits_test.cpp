#include "tonearm/edits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "fakes.h"

namespace tonearm {
namespace {

/// Tries every sequence of edits.
std::size_t naive_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::string_view a_rest = a.substr(1);
  const std::string_view b_rest = b.substr(1);
  if (a.front() == b.front() && a_rest == b_rest) return 0;
  std::size_t best = naive_distance(a_rest, b_rest) + (a.front() == b.front() ? 0 : 1);
  best = std::min({best, naive_distance(a_rest, b) + 1, naive_distance(a, b_rest) + 1});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0]) {
    best = std::min(best, naive_distance(a.substr(2), b.substr(2)) + 1);
  }
  return best;
}

}  // namespace

TEST_CASE("the edit distance equals a naive search, up to the limit") {
  CHECK(edit_distance("pinao", "piano") == 1);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // no letter is edited twice
  test::SeededRandom random(3);
  const auto word = [&] {
    std::string letters;
    for (std::uint64_t i = random.below(7); i > 0; --i) letters += static_cast<char>('a' + random.below(3));
    return letters;
  };
  for (int i = 0; i < 2'000; ++i) {
    const std::string a = word();
    const std::string b = word();
    CAPTURE(a);
    CAPTURE(b);
    const std::size_t distance = naive_distance(a, b);
    CHECK(edit_distance(a, b) == distance);
    for (std::size_t at_most = 0; at_most < 4; ++at_most) {
      CHECK(edits_within<char>(a, b, at_most) == std::min(distance, at_most + 1));
    }
  }
}

TEST_CASE("short words have one edit, single letters none (SUGGEST-5)") {
  CHECK(typo_edits_max(0) == 0);
  CHECK(typo_edits_max(1) == 0);
  CHECK(typo_edits_max(2) == 1);
  CHECK(typo_edits_max(4) == 1);
  CHECK(typo_edits_max(5) == 2);
}

}  // namespace tonearm
