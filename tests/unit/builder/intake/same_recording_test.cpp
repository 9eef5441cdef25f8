#include "intake/same_recording.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "intake/intake.h"

namespace tonearm::builder {
namespace {

Line song(const std::string& id, const std::string& title, const std::string& seconds, const std::string& license) {
  Line line;
  line.id = id;
  line.kind = "music";
  line.title = title;
  line.artist = "Ann Bell";
  line.duration_s = seconds;
  line.license = license;
  line.source = "a.example";
  return line;
}

Line made_from(Line line, const std::string& original) {
  line.made_from = original;
  return line;
}

struct Joined {
  Report report;
  std::vector<std::string> kept;  // "id license", in order
};

Joined joined_of(const std::vector<std::variant<Line, Rejection>>& lines, Origin origin = Origin::source) {
  Joined result;
  Intake intake({}, {}, result.report);
  result.report.begin_input("all");
  std::uint64_t number = 0;
  for (const auto& line : lines) intake.take(++number, line, origin);
  for (const auto& track : intake.finish().tracks)
    result.kept.push_back(track.id + " " + std::string(license(track.license).name_id));
  std::sort(result.kept.begin(), result.kept.end());
  CHECK(result.report.inputs()[0].kept == result.kept.size());
  return result;
}

std::vector<std::string> kept_of(const std::vector<std::variant<Line, Rejection>>& lines) {
  return joined_of(lines).kept;
}

using Kept = std::vector<std::string>;

}  // namespace

TEST_CASE("a recording that two sources have under one title, artist and length is one track (LINE-14)") {
  auto full = song("site-1", "Rain, again", "60", "cc-by-3.0");
  full.bpm = "120";
  const auto bare = song("library-1", "RAIN (Again)", "60.9", "cc-by-4.0");
  for (const auto& lines : {std::vector<std::variant<Line, Rejection>>{full, bare}, {bare, full}}) {
    const auto result = joined_of(lines);
    CHECK(result.kept == Kept{"site-1 cc-by-3.0"});  // more is known of it; the older version is the stricter
    REQUIRE(result.report.duplicates().size() == 1);
    CHECK(result.report.duplicates()[0].id == "library-1");
    CHECK(result.report.duplicates()[0].stays == "site-1");
    CHECK(result.report.count(Reason::duplicate_recording) == 1);
    CHECK(result.report.broken_total() == 0);
    CHECK(result.report.contradictions().size() == 1);
  }
  // The license of the one that goes may be the stricter.
  CHECK(kept_of({full, song("library-1", "Rain again", "60.9", "cc-by-nc-4.0")}) == Kept{"site-1 cc-by-nc-4.0"});
}

TEST_CASE("what may be two recordings stays two tracks (LINE-14)") {
  const auto first = song("site-1", "Rain", "60", "cc0");
  const auto two = [&](const Line& other) { return kept_of({first, other}).size() == 2; };
  CHECK(two(song("library-1", "Rain", "62.1", "cc0")));  // another length
  CHECK(two(song("library-1", "Rain 2", "60", "cc0")));  // another title
  CHECK(two(song("site-2", "Rain", "60", "cc0")));       // the same source tells them apart
  auto other_artist = song("library-1", "Rain", "60", "cc0");
  other_artist.artist = "Bo";
  CHECK(two(other_artist));
  other_artist.artist.clear();
  CHECK(two(other_artist));
  CHECK_FALSE(two(song("library-1", "rain", "61.9", "cc0")));
  // Two versions in each source: each finds the one of its length.
  const std::vector<std::variant<Line, Rejection>> versions{first, song("site-2", "Rain", "61.5", "cc0"),
                                                            song("library-1", "Rain", "61.4", "cc0"),
                                                            song("library-2", "Rain", "60.2", "cc0")};
  CHECK(kept_of(versions).size() == 2);
  // Operators know what their own lines are.
  CHECK(joined_of({first, song("library-1", "Rain", "60", "cc0")}, Origin::canonical).kept.size() == 2);
  // Short sounds must be nearer.
  CHECK(are_close(60'000, 61'900));
  CHECK_FALSE(are_close(60'000, 62'001));
  CHECK(are_close(1000, 1050));
  CHECK_FALSE(are_close(1000, 1060));
  CHECK_FALSE(are_close(300, 400));
}

TEST_CASE("a row that is left out states the license of the recording under its title all the same (LINE-14)") {
  Rejection refused{Reason::no_derivatives, "", "library-1", {}, {{}, "Rain", "Ann Bell", "60.4", {}}};
  const auto track = song("site-1", "Rain", "60", "cc0");
  CHECK(kept_of({track, refused}).empty());
  CHECK(kept_of({refused, track}).empty());
  refused.signs.duration_s = "90";
  CHECK(kept_of({track, refused}) == Kept{"site-1 cc0"});
  refused.signs.duration_s = "0";
  CHECK(kept_of({track, refused}) == Kept{"site-1 cc0"});
}

TEST_CASE("a cut and its original share the strictest license, and are one track only at one length (LINE-15)") {
  const auto original = song("sounds-7", "wind-01.wav", "30", "cc0");
  const auto cut = made_from(song("game-1", "Wind", "2.5", "cc-by-4.0"), "sounds-7");
  const auto copy = made_from(song("pack-1", "Breeze", "30.001", "cc0"), "sounds-7");
  CHECK(kept_of({original, cut}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  CHECK(kept_of({cut, original}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  CHECK(kept_of({copy, cut, original}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  // Cuts of one sound whose row is absent, or left out.
  const auto other = made_from(song("pack-1", "Gust", "2.4", "cc0"), "sounds-7");
  CHECK(kept_of({cut, other}) == Kept{"game-1 cc-by-4.0", "pack-1 cc-by-4.0"});
  CHECK(kept_of({cut, other, Rejection{Reason::sampling, "", "sounds-7"}}).empty());
  const Rejection not_taken{Reason::sampling, "", "game-1", {}, {{}, "Wind", "Ann Bell", "2.5", "sounds-7"}};
  CHECK(kept_of({original, not_taken}).empty());
}

TEST_CASE("a track whose license asks for a credit needs an artist, from its own row or another (LINE-13)") {
  auto nameless = song("a-1", "Rain", "60", "cc-by-3.0");
  nameless.artist = " ";
  const auto out = joined_of({nameless});
  CHECK(out.kept.empty());
  CHECK(out.report.count(Reason::artist_missing) == 1);
  CHECK(joined_of({nameless}, Origin::canonical).kept.size() == 1);
  auto free = nameless;
  free.license = "cc0";
  CHECK(kept_of({free}) == Kept{"a-1 cc0"});
  // A license that another row states may ask for one.
  CHECK(kept_of({free, song("a-1", "Rain", "60", "cc-by-4.0")}).empty());

  Report report;
  Intake intake({}, {}, report);
  report.begin_input("all");
  auto credit = song("a-1", "Something else", "1", "cc-by");
  credit.duration_s.reset();
  credit.source_page = "https://a.example/rain";
  intake.take(1, nameless, Origin::source);
  intake.take(2, credit, Origin::supplement);
  const auto tracks = intake.finish().tracks;
  REQUIRE(tracks.size() == 1);
  CHECK(tracks[0].title == "Rain");
  CHECK(tracks[0].artist == "Ann Bell");
  CHECK(tracks[0].source_page == "https://a.example/rain");
  CHECK(license(tracks[0].license).name_id == "cc-by-3.0");
}

}  // namespace tonearm::builder
