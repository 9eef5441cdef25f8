#include "text/form.h"

#include <doctest/doctest.h>

namespace tonearm::text {

TEST_CASE("a form is read strictly (OAUTH-4, CLI-21)") {
  CHECK(*parse_form("code=a%20b&state=x%26y&iss=http%3A%2F%2F127.0.0.1%3A80&&flag") ==
        FormFields{{"code", "a b"}, {"state", "x&y"}, {"iss", "http://127.0.0.1:80"}, {"flag", ""}});
  CHECK(parse_form("")->empty());
  for (const auto* form : {"code=1&code=2", "state=%f", "state=%ff", "%zz=1"}) CHECK_FALSE(parse_form(form));
}

}  // namespace tonearm::text
