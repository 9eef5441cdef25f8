#include "http/trace_context.h"

#include <doctest/doctest.h>

using namespace tonearm;
using namespace tonearm::native;

TEST_CASE("HOST-35: a traceparent is accepted only in the format of version 00 and only if it occurs once") {
  const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  CHECK(traceparent({{"Host", "a"}, {"Traceparent", good}}) == good);
  CHECK(traceparent({}).empty());
  CHECK(traceparent({{"traceparent", good}, {"traceparent", good}}).empty());
  for (const std::string bad : {"", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
                                "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
                                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                                "00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01"}) {
    CAPTURE(bad);
    CHECK(traceparent({{"traceparent", bad}}).empty());
  }
}
