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
  for (const auto* name : {"vocals", "key", "loudness_lufs", "credit_as", "content_id", "published"}) {
    CHECK(object.at(name).is_null());
  }
}

// TRACK-1, LICENSE-8
TEST_CASE("A rendered track has its vocals, key, loudness and date, and credits the name that its creator asks for") {
  Track track = example();
  track.vocals = Vocals::vocal;
  track.key = "F# minor";
  track.loudness_hundredths = -1'425;
  track.published = "2024-05-01";
  track.credit_as = "Ada E. Example";
  track.content_id = ContentId::none;
  const std::string json = render_track(track, "").json;
  CHECK(json.find(R"("bpm":120.5,"vocals":"vocal","key":"F# minor","loudness_lufs":-14.25,"tags":)") !=
        std::string::npos);
  CHECK(json.find(R"("credit_as":"Ada E. Example","content_id":"none","source_page":null,"published":"2024-05-01",)") !=
        std::string::npos);
  CHECK(json.find(R"("artist":"Ada",)") != std::string::npos);
  CHECK(json.find(R"("credit_line":"\"Rain \"on\" a roof\" by Ada E. Example is licensed)") != std::string::npos);
  CHECK(json.find(R"("untrusted_fields":["title","artist","description","tags","credit_line"])") != std::string::npos);
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
