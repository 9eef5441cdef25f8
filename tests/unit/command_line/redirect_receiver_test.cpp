#include "login/redirect_receiver.h"

#include <doctest/doctest.h>

namespace tonearm::cli {

// CLI-21

TEST_CASE("the answer of an authorization server is read strictly") {
  CHECK(*read_redirect("code=a%20b&state=x%26y&iss=http%3A%2F%2F127.0.0.1%3A80&&flag") ==
        RedirectAnswer{{"code", "a b"}, {"state", "x&y"}, {"iss", "http://127.0.0.1:80"}, {"flag", ""}});
  CHECK(read_redirect("")->empty());
  for (const auto* query : {"code=1&code=2", "state=%f", "state=%ff", "%zz=1"}) CHECK_FALSE(read_redirect(query));
}

TEST_CASE("a wait without an answer ends, on an address of this machine") {
  RedirectReceiver receiver;
  CHECK(receiver.address().starts_with("http://127.0.0.1:"));
  CHECK(receiver.address().ends_with("/callback"));
  CHECK_FALSE(receiver.wait("state", std::chrono::seconds(0)));
}

}  // namespace tonearm::cli
