#include "login/redirect_receiver.h"

#include <doctest/doctest.h>

namespace tonearm::cli {

// CLI-21

TEST_CASE("a wait without an answer ends, on an address of this machine") {
  RedirectReceiver receiver;
  CHECK(receiver.address().starts_with("http://127.0.0.1:"));
  CHECK(receiver.address().ends_with("/callback"));
  CHECK_FALSE(receiver.wait("state", std::chrono::seconds(0)));
}

}  // namespace tonearm::cli
