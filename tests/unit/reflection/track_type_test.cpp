#include "reflection/track_type.h"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>

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

TEST_CASE("A rendered track has every field of the type, in order") {
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

TEST_CASE("Offsets point to the value of every path, and are 0 below a null") {
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

}  // namespace tonearm::table
