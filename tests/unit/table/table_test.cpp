#include "table/routes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

#include "table/answers.h"

namespace tonearm::table {
namespace {

Track example() {
  Track track;
  track.id = "example-7";
  track.title = "Rain \"on\" a roof";
  track.artist = "Ada";
  track.duration_ms = 183'500;
  track.bpm_hundredths = 12'050;
  track.tags[0] = {"ambient"};
  track.license = LicenseId::cc_by_4_0;
  track.source = "example.org";
  track.preview_url = "https://example.org/p.mp3";
  track.original_url = "https://example.org/o.flac";
  return track;
}

}  // namespace

TEST_CASE("A rendered track is JSON with every field of the type, in its order") {
  const TrackJson rendered = render_track(example(), "https://tonearm.example");
  const auto object = boost::json::parse(rendered.json).as_object();
  REQUIRE(object.size() == kTrackType.fields.size());
  std::size_t i = 0;
  for (const auto& member : object) CHECK(std::string_view(member.key()) == kTrackType.fields[i++].name);
  CHECK(object.at("page_url").as_string() == "https://tonearm.example/tracks/example-7");
  CHECK(object.at("category").is_null());
  CHECK(object.at("description").is_null());
  CHECK(rendered.json.find(R"("duration_s":183.5,"bpm":120.5,)") != std::string::npos);
}

TEST_CASE("Offsets lead to the value of every path, and to nothing below a null") {
  const TrackJson rendered = render_track(example(), "https://tonearm.example");
  const auto& paths = track_paths();
  REQUIRE(rendered.offsets.size() == 2 * paths.size());
  const boost::json::value whole = boost::json::parse(rendered.json);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::size_t begin = rendered.offsets[2 * i];
    const std::size_t end = rendered.offsets[2 * i + 1];
    if (paths[i].starts_with("category.")) {
      CHECK(end == 0);
      continue;
    }
    std::string pointer = "/" + paths[i];
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    CHECK(boost::json::parse(rendered.json.substr(begin, end - begin)) == whole.at_pointer(pointer));
  }
}

TEST_CASE("A taken-down track has neither preview nor original") {
  Track track = example();
  track.taken_down = true;
  const auto object = boost::json::parse(render_track(track, "").json).as_object();
  CHECK(object.at("preview_url").is_null());
  CHECK(object.at("original_url").is_null());
}

TEST_CASE("Routes are indexed by their ids") {
  REQUIRE(kRoutes.size() == kRouteCount);
  for (std::size_t i = 0; i < kRoutes.size(); ++i) CHECK(static_cast<std::size_t>(kRoutes[i].id) == i);
}

TEST_CASE("Paths are matched segment by segment") {
  const auto track = find_route(Surface::api, "GET", "/v1/tracks/a%2D1");
  REQUIRE(track.route != nullptr);
  CHECK(track.route->id == RouteId::track);
  CHECK(track.arguments == std::vector<std::string>{"a-1"});
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

TEST_CASE("Times are RFC 3339 in UTC with whole seconds") {
  CHECK(rfc3339(0) == "1970-01-01T00:00:00Z");
  CHECK(rfc3339(1'768'478'459'999) == "2026-01-15T12:00:59Z");
}

TEST_CASE("The error table has the statuses and codes of the document") {
  std::ifstream file(std::string(TONEARM_SOURCE_DIR) + "/../shared/spec/catalog-api.md");
  if (!file) {
    std::cout << "skipped: the document is not beside the checkout\n";
    return;
  }
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string bar;
    int status = 0;
    std::string code;
    if (!(cells >> bar >> status >> bar >> code) || !line.starts_with('|')) continue;
    ++rows;
    const auto row =
        std::find_if(kErrorTable.begin(), kErrorTable.end(), [&](const auto& it) { return it.name == code; });
    REQUIRE_MESSAGE(row != kErrorTable.end(), code);
    CHECK(row->status == status);
    CHECK(&error_row(row->code) == &*row);
  }
  CHECK(rows == 15);
}

}  // namespace tonearm::table
