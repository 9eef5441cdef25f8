#include "api/requests/routes.h"

#include <doctest/doctest.h>

#include <set>

namespace tonearm::api {

TEST_CASE("Each {name} of a path has its parameter, in the same order") {
  for (const Route& route : kRoutes) {
    CAPTURE(route.path);
    std::vector<std::string_view> names;
    for (std::size_t open = route.path.find('{'); open != std::string_view::npos;
         open = route.path.find('{', open + 1)) {
      names.push_back(route.path.substr(open + 1, route.path.find('}', open) - open - 1));
    }
    std::vector<std::string_view> rows;
    if (route.handler.parameters != nullptr) {
      for (const table::Parameter& row : route.handler.parameters->path) rows.push_back(row.name);
    }
    CHECK(names == rows);
  }
}

TEST_CASE("No two routes have the same method and path, and each has a handler") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Route& route : kRoutes) {
    CAPTURE(route.path);
    CHECK(seen.insert({route.method, route.path}).second);
    CHECK((route.handler.answer != nullptr));
  }
}

TEST_CASE("Paths are matched segment by segment") {
  const auto track = find_route(Surface::api, "GET", "/v1/tracks/a%2D1");
  REQUIRE(track.route != nullptr);
  CHECK(track.route->path == "/v1/tracks/{id}");
  CHECK(track.path_values == std::vector<std::string>{"a-1"});
  CHECK(find_route(Surface::api, "HEAD", "/v1/search").route != nullptr);
  const auto other_method = find_route(Surface::api, "POST", "/v1/search");
  CHECK(other_method.route == nullptr);
  CHECK(other_method.allow == "GET, HEAD");
  for (const std::string_view path : {"/v1/search/", "/v1/tracks/", "/v1/tracks/a/similar/", "/v1/tracks//similar",
                                      "/v1/tracks/%zz", "/V1/search", "/v1/Search", "/v1/", "/healthz"}) {
    const auto none = find_route(Surface::api, "GET", path);
    CHECK(none.route == nullptr);
    CHECK(none.allow.empty());
  }
}

}  // namespace tonearm::api
