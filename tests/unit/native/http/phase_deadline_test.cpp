#include "http/phase_deadline.h"

#include <doctest/doctest.h>

#include "steady_seconds.h"

namespace tonearm::native {
// HOST-22
TEST_CASE("A phase ends ten seconds after its last byte and twenty after its start") {
  const HttpLimits limits;
  PhaseDeadline deadline(limits);
  CHECK(deadline.begin(at(0)) == at(10));
  CHECK(deadline.after_input(at(3)) == at(13));
  CHECK(deadline.after_input(at(9)) == at(19));
  CHECK(deadline.after_input(at(12)) == at(20));
  CHECK(deadline.after_input(at(19)) == at(20));
  CHECK(deadline.begin(at(30)) == at(40));
}

// HOST-22
TEST_CASE("A response has twenty seconds for each 64 KiB, so only a client that reads too slowly loses it") {
  const HttpLimits limits;
  PhaseDeadline deadline(limits);
  deadline.begin(at(0));
  CHECK(deadline.after_output(1'000, at(9)) == at(19));
  CHECK(deadline.after_output(1'000, at(18)) == at(20));
  CHECK(deadline.after_output(limits.answer_bytes_min - 2'000, at(19)) == at(29));
  CHECK(deadline.after_output(1'000, at(28)) == at(38));
  CHECK(deadline.after_output(limits.answer_bytes_min - 1'001, at(37)) == at(39));
  CHECK(deadline.after_output(1, at(38)) == at(48));
}

}  // namespace tonearm::native
