#include "routes/site_routes.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

TEST_SUITE("web: table of routes") {
  TEST_CASE("each method and path has one row, and each method is one of the API's (WEB-2)") {
    const auto routes = site_routes();
    std::set<std::string> rows;
    for (const auto& route : routes) {
      CHECK((route.answer != nullptr));
      for (std::string_view rest = route.methods; !rest.empty();) {
        const std::string method(http_fields::next_element(rest, ','));
        const auto row = method + ' ' + std::string(route.path);
        CAPTURE(row);
        CHECK(rows.insert(row).second);
        CHECK(std::set<std::string>{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}.contains(method));
      }
    }
  }

  TEST_CASE("visitors only read, except for signing in and out, and applications (WEB-9, OAUTH-11)") {
    for (const auto& route : site_routes()) {
      if (route.access == Access::person || route.methods == "GET") continue;
      const std::string path(route.path);
      CAPTURE(path);
      if (route.methods.ends_with(", OPTIONS")) {
        CHECK((path.starts_with("/oauth/") || path.starts_with("/.well-known/")));
        continue;
      }
      // The API writes nothing either (CREDIT-29).
      const bool writes_nothing = path == "/site/credits/recognize";
      CHECK((path.starts_with("/site/sign-") || path == "/site/recover" || writes_nothing));
      CHECK(route.methods == "POST");
    }
  }
}

}  // namespace
}  // namespace tonearm::web
