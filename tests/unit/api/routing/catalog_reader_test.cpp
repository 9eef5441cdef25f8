// Compares a catalog reader with a service over the same catalog, on all routes.

#include "tonearm/catalog_reader.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "api/requests/routes.h"
#include "served_account.h"

using namespace tonearm;

namespace {

namespace bj = boost::json;

Track rain_track(const std::string& id) {
  Track track;
  track.id = id;
  track.title = "Rain";
  track.duration_ms = 60'000;
  track.source = "example.org";
  track.license = LicenseId::cc_by_4_0;
  return track;
}

/// A reader, and a service with an unlimited account.
struct BothAnswers : test::ServedAccount {
  BothAnswers() {
    reader = CatalogReader::make({.clock = clock,
                                  .random = random,
                                  .hashing = hashing,
                                  .catalog = [this] { return catalog; },
                                  .report_failure = {},
                                  .answer_cache_bytes = 4096});
  }
  Response by_service(const std::string& method, const std::string& target) { return send(method, target); }
  Response by_reader(const std::string& method, const std::string& target) {
    return reader->answer({{method, target, {}}, {}});
  }
  void check_same(const std::string& method, const std::string& target) {
    CAPTURE(method);
    CAPTURE(target);
    const Response expected = by_service(method, target);
    const Response found = by_reader(method, target);
    CHECK(found.status == expected.status);
    CHECK(found.headers == expected.headers);
    CHECK(found.body == expected.body);
  }

  std::unique_ptr<CatalogReader> reader;
};

/// Returns a path of the template: each {name} becomes this track, or a collection that does not exist.
std::string example_path(std::string_view pattern) {
  std::string path(pattern);
  for (std::size_t open = path.find('{'); open != std::string::npos; open = path.find('{')) {
    path.replace(open, path.find('}') - open + 1, "t-1");
  }
  return path;
}

}  // namespace

// HOST-40, HOST-41
TEST_CASE("a catalog reader answers the catalog's routes as the service does, and no others") {
  BothAnswers both;
  both.catalog = test::make_memory_catalog(std::vector{rain_track("t-1"), rain_track("t-2")});
  int same = 0;
  for (const api::Route& route : api::kRoutes) {
    const std::string path = example_path(route.path);
    CAPTURE(path);
    if (route.surface != api::Surface::api || route.method != "GET" || route.needs != api::Needs::catalog) {
      CHECK(both.by_reader(std::string(route.method), path).status == 404);
      continue;
    }
    ++same;
    for (const std::string method : {"GET", "HEAD", "POST", "DELETE"}) both.check_same(method, path);
    both.check_same("GET", path + "?ids=t-1,t-2&limit=1");
    both.check_same("GET", path + "?limit=none");
  }
  CHECK(same == 8);
  both.check_same("GET", "/v1/search?q=rain&facets=genre");
  both.check_same("GET", "/v1/search?q=rain&facets=genre");  // from the cache
  both.check_same("GET", "/v1/tracks/missing");
  both.check_same("GET", "/v1/changes?since=" + both.catalog->version());
  both.check_same("GET", "/v1/changes?since=0123456789abcdef");
  both.check_same("GET", "/v1/nothing");
}

// HOST-40, CHECK-6
TEST_CASE("a reader without a catalog answers that there is none") {
  BothAnswers both;
  both.check_same("GET", "/v1/search?q=rain");
  CHECK(both.by_reader("GET", "/v1/search?q=rain").status == 503);
}
