#include "http/untaken.h"

#include <doctest/doctest.h>

#include "steady_seconds.h"

namespace tonearm::native {
// HOST-22
TEST_CASE("What the kernel holds has twenty seconds for each 64 KiB that the client takes of it") {
  const HttpLimits limits;
  const auto share = limits.answer_bytes_min;
  Untaken untaken(limits);
  untaken.wrote(3 * share);
  untaken.begin(at(0));
  CHECK(untaken.end() == at(20));
  CHECK(untaken.goes_on(3 * share, at(19)));
  CHECK(untaken.goes_on(2 * share, at(20)));
  CHECK(untaken.end() == at(40));
  CHECK_FALSE(untaken.goes_on(share + 1, at(40)));
  CHECK_FALSE(untaken.is_none());
}

// HOST-22
TEST_CASE("A client that has taken all is not slow, and what was written since counts") {
  const HttpLimits limits;
  Untaken untaken(limits);
  CHECK_FALSE(untaken.is_vague());
  untaken.wrote(10);
  untaken.begin(at(0));
  CHECK_FALSE(untaken.goes_on(0, at(5)));
  CHECK(untaken.is_none());
  untaken.wrote(limits.answer_bytes_min + 1);
  CHECK(untaken.is_vague());
  untaken.count(10);
  CHECK_FALSE(untaken.is_vague());
  untaken.begin(at(30));
  CHECK(untaken.goes_on(10, at(49)));
  CHECK_FALSE(untaken.goes_on(1, at(50)));
  CHECK_FALSE(untaken.is_none());
}

}  // namespace tonearm::native
