#include "films/film_audio.h"

#include <doctest/doctest.h>

namespace tonearm::cli {

// CLI-28

TEST_CASE("films are known by their extensions") {
  for (const auto* const path : {"a.mp4", "b/c.MOV", "d.m4v", "e.m4a", "f.mkv", "g.webm", "h.mka", "-i.mp4"})
    CHECK(is_film(path));
  for (const auto* const path : {"a.wav", "mp4", "a.mp4/", "a.mp4.txt", "", "/"}) CHECK_FALSE(is_film(path));
}

TEST_CASE("the default audio track is decoded, else the first") {
  const auto streams = film_streams_of(R"({"streams":[{"index":0,"codec_type":"video","disposition":{"default":1}},
    {"index":1,"codec_type":"audio","disposition":{"default":0}},{"index":4,"codec_type":"audio","disposition":{"default":1}},
    {"index":5,"codec_type":"audio","disposition":{"default":1}}],"format":{"duration":"9.5"}})");
  CHECK(streams.index == 4);
  CHECK(streams.number == 2);
  CHECK(streams.audio_tracks == 3);
  CHECK(streams.duration_s == 9.5);
  const auto first =
      film_streams_of(R"({"streams":[{"index":2,"codec_type":"audio"},{"index":3,"codec_type":"audio"}]})");
  CHECK(first.index == 2);
  CHECK(first.number == 1);
  CHECK(first.duration_s == 0);
}

TEST_CASE("the end of the sound is that of its track, else of the film, from the beginning of the film") {
  const auto end_of_track = [](const std::string& stream) {
    return film_streams_of(R"({"streams":[{"codec_type":"audio",)" + stream +
                           R"(}],"format":{"start_time":"1.0","duration":"60.0"}})")
        .duration_s;
  };
  CHECK(end_of_track(R"("start_time":"6.0","duration":"20.5")") == 25.5);
  CHECK(end_of_track(R"("tags":{"DURATION":"00:01:02.500000000"})") == 61.5);
  CHECK(end_of_track(R"("tags":{"DURATION":"soon"})") == 60);
  CHECK(end_of_track(R"("duration":"nan")") == 60);
  CHECK(end_of_track(R"("duration":"-5")") == 0);
}

TEST_CASE("a film without sound and anything but a description fail") {
  CHECK_THROWS_WITH(film_streams_of(R"({"streams":[{"index":0,"codec_type":"video"}]})"), "has no sound");
  for (const auto* const text : {"", "[]", "{", "null"}) CHECK_THROWS_AS(film_streams_of(text), std::runtime_error);
}

}  // namespace tonearm::cli
