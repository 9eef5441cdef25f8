#include "domain/file_names.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "fakes.h"
#include "text/unicode.h"

using namespace tonearm;

namespace {

using Needs = NameReading::Needs;

std::vector<std::string> readings(const char* name) {
  std::vector<std::string> texts;
  for (const NameReading& reading : read_file_name(name).readings) texts.push_back(reading.text);
  return texts;
}

std::vector<std::string> ids(const char* name) {
  std::vector<std::string> all;
  for (const auto& place : read_file_name(name).ids) all.insert(all.end(), place.begin(), place.end());
  return all;
}

std::string number(const char* name) {
  const auto found = read_file_name(name).number;
  return found ? found->track_id : std::string();
}

std::string number_at(const char* address) {
  const auto found = read_file_address(address).number;
  return found ? found->track_id : std::string();
}

}  // namespace

// CREDIT-22
TEST_CASE("Ids are delimited by characters other than letters and digits, longest first") {
  using Ids = std::vector<std::string>;
  CHECK(ids("os-101.flac") == Ids{"os-101"});
  CHECK(ids("Music\\my roof os-101 (1).flac") == Ids{"os-101"});
  CHECK(ids("rain_on-os-101.mp3") == Ids{"rain_on-os-101", "on-os-101", "os-101"});
  CHECK(ids("a-1 b-2.wav") == Ids{"a-1", "b-2"});
  CHECK(ids("os-101b.wav").empty());
  CHECK(ids("a_b_c_d_os-101.mp3") == Ids{"a_b_c_d_os-101", "c_d_os-101", "d_os-101", "os-101"});
  for (const auto* inside : {"\u00e9os-101.wav", "\u0436os-101.mp3", "os-101\u00e9.mp3", "os-101\u0301.mp3"}) {
    CHECK(ids(inside).empty());
  }
  CHECK(ids("Rain\u2014os-101\u3000x.mp3") == Ids{"os-101"});
  CHECK(ids("2020-01-02.wav").empty());
  CHECK(ids("-5.wav").empty());
  CHECK(ids("2020-01-02_os-101.wav") == Ids{"2020-01-02_os-101", "01-02_os-101", "02_os-101", "os-101"});
  CHECK(ids("\u00e9a_b-1.wav") == Ids{"b-1"});
  CHECK(ids((std::string(62, 'a') + "-1").c_str()) == Ids{std::string(62, 'a') + "-1"});
  CHECK(ids((std::string(63, 'a') + "-1").c_str()).empty());
  CHECK(ids(("b." + std::string(61, '1') + "-2").c_str()).empty());
  CHECK(read_file_name(std::string(1'000, 'a') + "-1").ids.size() <= 1);
}

// CREDIT-22
TEST_CASE("Freesound's names contain its number, the user and the title") {
  const auto download = read_file_name("104183__ada-example__morning-rain.wav").number;
  REQUIRE(download);
  CHECK(download->track_id == "freesound-104183");
  CHECK(download->artist == "ada-example");
  CHECK(download->title == "morning-rain");
  CHECK(download->contradicts("freesound-7"));
  CHECK_FALSE(download->contradicts("freesound-104183"));
  CHECK_FALSE(download->contradicts("jamendo-7"));
  CHECK(number("104183_55-hq.mp3") == "freesound-104183");
  CHECK(number("104183_55.mp3").empty());
  CHECK(number("104183__ada.mp3").empty());
  CHECK(number("1234567890123456__ada__x.mp3").empty());
  CHECK(number("rain.wav").empty());
}

// CREDIT-21
TEST_CASE("Addresses of known sources contain numbers") {
  CHECK(number_at("https://freesound.org/people/ada/sounds/104183/download/104183__ada__rain.wav") ==
        "freesound-104183");
  CHECK(number_at("https://www.freesound.org/s/104183/") == "freesound-104183");
  CHECK(number_at("https://cdn.freesound.org/previews/104/104183_55-hq.mp3") == "freesound-104183");
  CHECK(number_at("https://www.jamendo.com/track/161535/73rd-moon") == "jamendo-161535");
  CHECK(number_at("https://prod-1.storage.jamendo.com/?trackid=1033532&format=mp32") == "jamendo-1033532");
  CHECK(number_at("https://mp3d.jamendo.com/?x=1&trackid=7&y") == "jamendo-7");
  CHECK(number_at("https://www.jamendo.com/?xtrackid=7").empty());
  CHECK(number_at("https://www.jamendo.com/?xtrackid=7&trackid=8") == "jamendo-8");
  CHECK(number_at("https://www.jamendo.com/?trackid=8&trackid=8") == "jamendo-8");
  CHECK(number_at("https://www.jamendo.com/?trackid=8&trackid=9").empty());
  CHECK(number_at("http://ccmixter.org/files/ada/123") == "ccmixter-123");
  CHECK(number_at("https://notfreesound.org/s/104183/").empty());
  CHECK(number_at("https://freesound.org.example.org/s/104183/").empty());
  CHECK(number_at("https://freesound.org/").empty());
  CHECK(number_at("no address").empty());
  CHECK(number_at("https://freesound.org/a/a/a/a/a/a/a/a/a/a/a/a/a/a/s/7") == "freesound-7");
  CHECK(number_at("https://freesound.org/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/s/7").empty());
  CHECK(read_file_address("https://tonearm.example/tracks/os-101/").page_id == "os-101");
  CHECK(read_file_address("https://tonearm.example/os-101").page_id.empty());
  CHECK(read_file_address("https://x.example/a.mp3?token=1").forms ==
        std::vector<std::string>{"x.example/a.mp3?token=1", "x.example/a.mp3"});
  CHECK(read_file_address("https://x.example/a?token=1").forms.size() == 1);
  CHECK(read_file_address("no address").forms.empty());
}

// CREDIT-23
TEST_CASE("A name is read unchanged, then without the parts that are not the title") {
  using Strings = std::vector<std::string>;
  CHECK(readings("Morning Rain.mp3") == Strings{"Morning Rain", "Morning Rain.mp3"});
  CHECK(readings("Morning%20Rain.mp3")[0] == "Morning Rain");
  CHECK(readings("/home/ada/Morning Rain.wav.mp3")[0] == "Morning Rain");
  CHECK(readings("100% Rain")[0] == "100% Rain");
  CHECK(readings("01 - Ada - Morning Rain (1) [320kbps].mp3") == Strings{"01 - Ada - Morning Rain (1) [320kbps]",
                                                                         "01 - Ada - Morning Rain (1) [320kbps].mp3",
                                                                         "Ada Morning Rain", "Morning Rain"});
  CHECK(readings("Ada - Dawn - 03 - Morning Rain.flac")[2] == "Ada Dawn Morning Rain");
  CHECK(readings("Ada - Dawn - 03 - Morning Rain.flac")[3] == "Ada Morning Rain");
  CHECK(readings("ada_-_morning_rain - Copy.ogg")[2] == "ada morning rain");
  CHECK(readings("Midnight_Tram_copy.mp3")[2] == "Midnight Tram");
  CHECK(readings("Midnight_Tram_(320kbps).mp3")[2] == "Midnight Tram");
  CHECK(readings("Rain 2.mp3") == Strings{"Rain 2", "Rain 2.mp3"});
  CHECK(readings("02. Rain.mp3")[2] == "Rain");
}

// CREDIT-23
TEST_CASE("At most eight suffixes are removed from a name") {
  const auto repeated = [](std::string text, const char* suffix, int count) {
    for (int i = 0; i < count; ++i) text += suffix;
    return text;
  };
  for (const char* suffix : {"(1)", " [320kbps]", " - copy", "_hq", " ( 2 ) "}) {
    CAPTURE(suffix);
    const std::string nine = repeated("Rain", suffix, 9) + ".mp3";
    const std::string eight = repeated("Rain", suffix, 8) + ".mp3";
    CHECK(readings(eight.c_str()).at(2) == "Rain");
    CHECK(readings(nine.c_str()).at(2).size() > std::string("Rain").size());
  }
  CHECK(readings(repeated("x", "(1)", 300).c_str()).at(1) == repeated("x", "(1)", 292));
}

// CREDIT-23
TEST_CASE("A leading number that may belong to the title needs more than the title") {
  CHECK(read_file_name("7 Rings.mp3").readings[2] == NameReading{"Rings", Needs::artist_or_duration});
  CHECK(read_file_name("07 Rings.mp3").readings[2] == NameReading{"Rings", Needs::nothing});
  CHECK(read_file_name("7. Rings.mp3").readings[2] == NameReading{"Rings", Needs::nothing});
  CHECK(read_file_name("Ada - Rings.mp3").readings[3] == NameReading{"Rings", Needs::duration});
}

// CREDIT-22
TEST_CASE("A name with too many possible ids has none") {
  CHECK(read_file_name("a-1 b-2 c-3 d-4.mp3").ids.size() == kIdEndsMax);
  CHECK(read_file_name("a-1 b-2 c-3 d-4 e-5.mp3").ids.empty());
}

TEST_CASE("Every form of a name has the same letters and digits") {
  CHECK(letters_and_digits("Ada_Example's No. 5") == "adaexamplesno5");
  CHECK(letters_and_digits("\u00c5ngstr\u00f6m") == "\u00e5ngstr\u00f6m");
}

TEST_CASE("Any name makes a bounded number of ids and readings") {
  test::SeededRandom random(5);
  const std::string alphabet = "aB0 1-_.%/()[]\u2013\u00e9__--.mp3";
  for (int round = 0; round < 2'000; ++round) {
    std::string name;
    for (std::size_t left = 1 + random.below(60); left > 0; --left) name += alphabet[random.below(alphabet.size())];
    name = text::valid_utf8(name);
    CAPTURE(name);
    const FileName read = read_file_name(name);
    CHECK(read.readings.size() <= kReadingsMax);
    CHECK(read.ids.size() <= kIdEndsMax);
    for (const auto& place : read.ids) CHECK(place.size() <= kIdsPerEndMax);
    for (const auto& reading : read.readings) CHECK(text::is_utf8(reading.text));
    for (const auto* host : {"freesound.org", "jamendo.com"}) {
      CHECK(read_file_address("https://" + std::string(host) + '/' + name).forms.size() <= 2);
    }
  }
}
