#include "tonearm/route_templates.h"

#include <doctest/doctest.h>

#include <set>

using namespace tonearm;

namespace {

std::string_view template_of(std::string_view target) {
  const auto index = route_index(target);
  return index < route_templates().size() ? route_templates()[index] : "none";
}

}  // namespace

TEST_CASE("HOST-33: a target maps to the template of its route, whatever its values") {
  CHECK(template_of("/v1/search?q=rain") == "/v1/search");
  CHECK(template_of("/v1/tracks/os-101") == "/v1/tracks/{id}");
  CHECK(template_of("/v1/tracks/%zz") == "/v1/tracks/{id}");
  CHECK(template_of("/v1/tracks/os-101/similar?limit=1") == "/v1/tracks/{id}/similar");
  CHECK(template_of("/v1/collections/col_a/items/os-101") == "/v1/collections/{id}/items/{trackId}");
  CHECK(template_of("/admin/accounts/acc_a/keys") == "/admin/accounts/{account}/keys");
  CHECK(template_of("/mcp") == "/mcp");
  CHECK(template_of("/readyz") == "/readyz");
  for (const auto* target :
       {"", "/", "*", "/v1/searching", "/v1/search/", "/v1/tracks/", "/v1/tracks/a/b", "/mcp/x", "/v2/search"}) {
    CAPTURE(target);
    CHECK(template_of(target) == "none");
  }
}

TEST_CASE("every template is listed once, and matches itself") {
  const auto templates = route_templates();
  CHECK(std::set<std::string_view>(templates.begin(), templates.end()).size() == templates.size());
  for (std::size_t i = 0; i < templates.size(); ++i) CHECK(route_index(templates[i]) == i);
}
