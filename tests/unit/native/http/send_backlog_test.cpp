#include "http/send_backlog.h"

#include <doctest/doctest.h>

#include "steady_seconds.h"

namespace tonearm::native {
// HOST-22
TEST_CASE("A client has twenty seconds to read each 64 KiB of the send queue") {
  const HttpLimits limits;
  const auto share = limits.answer_bytes_min;
  SendBacklog backlog(limits);
  backlog.add(3 * share);
  backlog.begin(at(0));
  CHECK(backlog.deadline() == at(20));
  CHECK(backlog.is_draining(3 * share, at(19)));
  CHECK(backlog.is_draining(2 * share, at(20)));
  CHECK(backlog.deadline() == at(40));
  CHECK_FALSE(backlog.is_draining(share + 1, at(40)));
  CHECK_FALSE(backlog.is_empty());
}

// HOST-22
TEST_CASE("A client that has read everything is not slow, and later output counts") {
  const HttpLimits limits;
  SendBacklog backlog(limits);
  CHECK_FALSE(backlog.needs_refresh());
  backlog.add(10);
  backlog.begin(at(0));
  CHECK_FALSE(backlog.is_draining(0, at(5)));
  CHECK(backlog.is_empty());
  backlog.add(limits.answer_bytes_min + 1);
  CHECK(backlog.needs_refresh());
  backlog.refresh(10);
  CHECK_FALSE(backlog.needs_refresh());
  backlog.begin(at(30));
  CHECK(backlog.is_draining(10, at(49)));
  CHECK_FALSE(backlog.is_draining(1, at(50)));
  CHECK_FALSE(backlog.is_empty());
}

}  // namespace tonearm::native
