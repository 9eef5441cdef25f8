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
      const bool is_answered = route.answer != nullptr;
      CHECK(is_answered);
      for (std::string_view rest = route.methods; !rest.empty();) {
        const std::string method(http_fields::next_element(rest, ','));
        const auto row = method + ' ' + std::string(route.path);
        CAPTURE(row);
        CHECK(rows.insert(row).second);
        CHECK(std::set<std::string>{"GET", "POST", "PUT", "PATCH", "DELETE"}.contains(method));
      }
    }
  }

  TEST_CASE("visitors only read, but for signing in and out (WEB-9)") {
    for (const auto& route : site_routes()) {
      if (route.access == Access::person || route.methods == "GET") continue;
      const std::string path(route.path);
      CAPTURE(path);
      CHECK(path.starts_with("/site/sign-"));
      CHECK(route.methods == "POST");
    }
  }
}

}  // namespace
}  // namespace tonearm::web
