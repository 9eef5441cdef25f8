#include "routes/site_routes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace tonearm::web {
namespace {

TEST_SUITE("web: table of routes") {
  TEST_CASE("each method and path has one row, and any method is the only row of its path (WEB-2)") {
    const auto routes = site_routes();
    for (const auto& route : routes) {
      const std::string row = std::string(route.method) + ' ' + std::string(route.path);
      CAPTURE(row);
      CHECK(std::count_if(routes.begin(), routes.end(), [&](const SiteRoute& other) {
              return other.path == route.path &&
                     (other.method == route.method || other.method == "*" || route.method == "*");
            }) == 1);
      CHECK((route.answer != nullptr));
    }
  }

  TEST_CASE("visitors only read, except for signing in and out (WEB-9)") {
    for (const auto& route : site_routes()) {
      if (route.access == Access::person || route.method == "GET") continue;
      const std::string path(route.path);
      CAPTURE(path);
      CHECK((path.starts_with("/site/sign-") || path == "/site/recover"));
      CHECK(route.method == "POST");
    }
  }
}

}  // namespace
}  // namespace tonearm::web
