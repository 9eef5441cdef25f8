#include "cleaning/titles.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {

std::string sfx(std::string_view title) { return clean_title(Kind::sfx, title).text; }
std::string music(std::string_view title) { return clean_title(Kind::music, title).text; }

Track track(std::string title, std::string artist) {
  Track result;
  result.kind = Kind::sfx;
  result.title = std::move(title);
  result.artist = std::move(artist);
  return result;
}

}  // namespace

TEST_CASE("a title that is a file name becomes words (BUILD-17)") {
  CHECK(sfx("Thunder and Rain.wav") == "Thunder and Rain");
  CHECK(sfx("dogs.MP3") == "dogs");
  CHECK(sfx("rain.wav.mp3") == "rain");
  CHECK(sfx("Drunk Cat - C4 (0-0BOS.aif)") == "Drunk Cat - C4 (0-0BOS)");
  CHECK(sfx("drum_cymbal_soft") == "drum cymbal soft");
  CHECK(sfx("piano-hit-var1") == "piano hit var1");
  CHECK(sfx("footsteps passing on gravel - birds .mp3") == "footsteps passing on gravel - birds");
  CHECK(sfx("MonsterCreaturesVoiceSound001.mp3") == "Monster Creatures Voice Sound001");
  CHECK(music("-_DuBoLoGy_-_Dub_Atao") == "DuBoLoGy - Dub Atao");
}

TEST_CASE("a title that a person may have written is not changed (BUILD-17)") {
  for (const auto* title : {"Fall-a-Sleep", "Pt. 2", "iPhone", "McDonald", "DNB", ".wav", "___", "No. 5.5", "x-ray"})
    CHECK(sfx(title) == title);
  for (const auto* title :
       {"1999", "808", "7-11", "2021-05-12", "9", "o_O", "T_T", "(^_^) hello", "wav", ".mp3", "A.I."}) {
    CAPTURE(std::string(title));
    CHECK(sfx(title) == title);
    CHECK(music(title) == title);
  }
  CHECK(music("Track 01.mp3") == "Track 01");
  CHECK(sfx("808.wav") == "808");
  CHECK(sfx("2021-05-12.wav") == "2021-05-12");
  CHECK(sfx("a_wav.wav") == "a wav");
  CHECK(music("piano-hit-var1") == "piano-hit-var1");
  CHECK(music("HeavyRain") == "HeavyRain");
  CHECK(clean_title(Kind::sfx, "r\u00e9v\u00e9.ogg").text == "r\u00e9v\u00e9");
}

TEST_CASE("a running number is removed if the artist has no other track of that name (BUILD-17)") {
  const std::vector<Track> tracks{track("metal rings 04", "A"), track("rain 01", "A"), track("Rain 02", "a"),
                                  track("wind 03", "A"),        track("wind", "A"),    track("beep 1", "A"),
                                  track("rain 07", "B"),        track("007", "B")};
  RunningNumbers numbers;
  for (const auto& track : tracks) numbers.add_candidate(track);
  CHECK(numbers.has_candidates());
  for (const auto& track : tracks) numbers.count(track);
  std::vector<std::string> redundant;
  for (const auto& track : tracks) {
    if (numbers.is_redundant(track)) redundant.push_back(track.title);
  }
  CHECK(redundant == std::vector<std::string>{"metal rings 04", "rain 07"});
  CHECK(without_number("metal rings 04") == "metal rings");
  CHECK(without_number("rain (take 04)") == "rain (take");
}

}  // namespace tonearm::builder
