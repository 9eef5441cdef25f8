#include "intake/same_recording.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "intake/intake.h"
#include "track_files.h"

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
  line.made_from = {original};
  return line;
}

struct Joined {
  Report report;
  std::vector<std::string> kept;  // "id license", in order
};

Joined joined_of(const std::vector<std::variant<Line, Rejection>>& lines, Origin origin = Origin::source) {
  Joined result;
  Intake intake({}, {}, test::folder_of_temporary_files(), result.report);
  result.report.begin_input("all");
  std::uint64_t number = 0;
  for (const auto& line : lines) intake.add(++number, line, origin);
  for (const auto& track : test::tracks_of(intake.finish().tracks))
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

TEST_CASE("a recording that two sources list under one title, artist and duration is one track (LINE-14)") {
  auto full = song("site-1", "Rain, again", "60", "cc-by-3.0");
  full.bpm = "120";
  const auto bare = song("library-1", "RAIN (Again)", "60.9", "cc-by-4.0");
  for (const auto& lines : {std::vector<std::variant<Line, Rejection>>{full, bare}, {bare, full}}) {
    const auto result = joined_of(lines);
    CHECK(result.kept == Kept{"site-1 cc-by-3.0"});  // more is known about it; the older version is stricter
    REQUIRE(result.report.duplicates().size() == 1);
    CHECK(result.report.duplicates()[0].id == "library-1");
    CHECK(result.report.duplicates()[0].kept_id == "site-1");
    CHECK(result.report.count(Reason::duplicate_recording) == 1);
    CHECK(result.report.broken_total() == 0);
    CHECK(result.report.contradictions().size() == 1);
  }
  // The license of the removed track may be stricter.
  CHECK(kept_of({full, song("library-1", "Rain again", "60.9", "cc-by-nc-4.0")}) == Kept{"site-1 cc-by-nc-4.0"});
}

TEST_CASE("rows that may be two recordings are two tracks (LINE-14)") {
  const auto first = song("site-1", "Rain", "60", "cc0");
  const auto two = [&](const Line& other) { return kept_of({first, other}).size() == 2; };
  CHECK(two(song("library-1", "Rain", "62.1", "cc0")));  // another duration
  CHECK(two(song("library-1", "Rain 2", "60", "cc0")));  // another title
  CHECK(two(song("site-2", "Rain", "60", "cc0")));       // one source lists both
  auto other_artist = song("library-1", "Rain", "60", "cc0");
  other_artist.artist = "Bo";
  CHECK(two(other_artist));
  other_artist.artist.clear();
  CHECK(two(other_artist));
  CHECK_FALSE(two(song("library-1", "rain", "61.9", "cc0")));
  // Two versions in each source: each matches the one of its duration.
  const std::vector<std::variant<Line, Rejection>> versions{first, song("site-2", "Rain", "61.5", "cc0"),
                                                            song("library-1", "Rain", "61.4", "cc0"),
                                                            song("library-2", "Rain", "60.2", "cc0")};
  CHECK(kept_of(versions).size() == 2);
  // Canonical lines are never merged.
  CHECK(joined_of({first, song("library-1", "Rain", "60", "cc0")}, Origin::canonical).kept.size() == 2);
  // Short sounds must be closer in duration.
  CHECK(may_be_same_duration(60'000, 61'900));
  CHECK_FALSE(may_be_same_duration(60'000, 62'001));
  CHECK(may_be_same_duration(1000, 1050));
  CHECK_FALSE(may_be_same_duration(1000, 1060));
  CHECK_FALSE(may_be_same_duration(300, 400));
}

TEST_CASE("a rejected row still states the license of the recording with its title (LINE-14)") {
  Rejection refused{Reason::no_derivatives, "", "library-1", {}, {{}, "Rain", "Ann Bell", "60.4", {}}};
  const auto track = song("site-1", "Rain", "60", "cc0");
  CHECK(kept_of({track, refused}).empty());
  CHECK(kept_of({refused, track}).empty());
  refused.evidence.duration_s = "90";
  CHECK(kept_of({track, refused}) == Kept{"site-1 cc0"});
  refused.evidence.duration_s = "0";
  CHECK(kept_of({track, refused}) == Kept{"site-1 cc0"});
}

TEST_CASE(
    "a cut and its original share the strictest license, and are one track only if their durations are equal "
    "(LINE-15)") {
  const auto original = song("sounds-7", "wind-01.wav", "30", "cc0");
  const auto cut = made_from(song("game-1", "Wind", "2.5", "cc-by-4.0"), "sounds-7");
  const auto copy = made_from(song("pack-1", "Breeze", "30.001", "cc0"), "sounds-7");
  CHECK(kept_of({original, cut}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  CHECK(kept_of({cut, original}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  CHECK(kept_of({copy, cut, original}) == Kept{"game-1 cc-by-4.0", "sounds-7 cc-by-4.0"});
  // Cuts of a sound whose row is absent or rejected.
  const auto other = made_from(song("pack-1", "Gust", "2.4", "cc0"), "sounds-7");
  CHECK(kept_of({cut, other}) == Kept{"game-1 cc-by-4.0", "pack-1 cc-by-4.0"});
  CHECK(kept_of({cut, other, Rejection{Reason::sampling, "", "sounds-7"}}).empty());
  const Rejection not_taken{Reason::sampling, "", "game-1", {}, {{}, "Wind", "Ann Bell", "2.5", {"sounds-7"}}};
  CHECK(kept_of({original, not_taken}).empty());
}

TEST_CASE("recordings without a name in letters or digits are not one recording (LINE-14)") {
  const auto two = [](const std::string& title, const std::string& artist) {
    auto one = song("site-1", title, "60", "cc0");
    auto other = song("library-1", title, "60", "cc-by-nc-4.0");
    one.artist = other.artist = artist;
    return kept_of({one, other}).size() == 2;
  };
  for (const std::string nothing : {"???", "- -", "\u2605", "\u2026", "\u2014", "\U0001f3b5"}) {
    CAPTURE(nothing);
    CHECK(two(nothing, "Ann Bell"));
    CHECK(two("Rain", nothing));
  }
  CHECK_FALSE(two("7", "Ann Bell"));
  CHECK_FALSE(two("\u96e8", "Ann Bell"));
}

TEST_CASE("durations that form a chain match only those near the head of the chain (LINE-14)") {
  // 10.0 and 10.4, 10.4 and 10.8 are close; 10.0 and 10.8 are not.
  const std::vector<std::variant<Line, Rejection>> chain{song("a-1", "Rain", "10", "cc0"),
                                                         song("b-1", "Rain", "10.4", "cc-by-nc-4.0"),
                                                         song("c-1", "Rain", "10.8", "cc0")};
  CHECK(kept_of(chain) == Kept{"a-1 cc-by-nc-4.0", "c-1 cc0"});
}

TEST_CASE("a recording that is read twice has no more counterparts than one that is read once (LINE-14)") {
  const auto first = song("a-1", "Rain", "10", "cc0");
  const std::vector<std::variant<Line, Rejection>> takes{song("b-1", "Rain", "10.1", "cc0"),
                                                         song("b-2", "Rain", "10.2", "cc0")};
  CHECK(kept_of({first, takes[0], takes[1]}) == Kept{"a-1 cc0", "b-2 cc0"});
  CHECK(kept_of({first, first, takes[0], takes[1]}) == Kept{"a-1 cc0", "b-2 cc0"});
  // A second row with another duration changes nothing.
  CHECK(kept_of({first, song("a-1", "Rain", "20", "cc0"), song("b-1", "Rain", "20", "cc0")}).size() == 2);
  // A rejected row states its license for the recording, whichever source has the kept track.
  const Rejection refused{Reason::no_derivatives, "", "b-9", {}, {{}, "Rain", "Ann Bell", "10", {}}};
  auto rich = song("b-1", "Rain", "10", "cc0");
  rich.bpm = "90";
  CHECK(kept_of({first, rich, refused}).empty());
  CHECK(kept_of({first, takes[0], refused}).empty());
}

TEST_CASE("the grouping into recordings does not depend on the order of reading (LINE-14, LINE-15)") {
  const std::vector<std::string> sources{"a", "b", "c"};
  const std::vector<std::string> licenses{"cc0", "cc-by-3.0", "cc-by-4.0", "cc-by-nc-4.0", "cc-by", "cc-by-sa-4.0"};
  std::mt19937 random(7);  // NOLINT(*-msc51-cpp): every run the same
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::variant<Line, Rejection>> lines;
    for (int i = 1; i <= 9; ++i) {
      auto line = song(sources[below(3)] + "-" + std::to_string(i), below(4) == 0 ? "Wind" : "Rain",
                       std::to_string(60 + below(6)), licenses[below(licenses.size())]);
      if (below(3) == 0) line.made_from = {sources[below(3)] + "-" + std::to_string(1 + below(9))};
      if (below(6) == 0) line.made_from.emplace_back("d-1");
      if (below(4) == 0) line.duration_s.reset();
      lines.emplace_back(std::move(line));
    }
    const auto kept = kept_of(lines);
    for (int again = 0; again < 4; ++again) {
      std::shuffle(lines.begin(), lines.end(), random);
      REQUIRE(kept_of(lines) == kept);
    }
  }
}

TEST_CASE("a cut of a cut has the license of the first original, and the original that of the last cut (LINE-15)") {
  const auto cut_of = [](const char* id, const char* seconds, const char* license, const char* original) {
    return made_from(song(id, id, seconds, license), original);
  };
  std::vector<std::variant<Line, Rejection>> chain{
      song("a-1", "Rain", "60", "cc-by-nc-3.0"), cut_of("b-1", "30", "cc0", "a-1"), cut_of("c-1", "10", "cc0", "b-1")};
  const Kept all{"a-1 cc-by-nc-3.0", "b-1 cc-by-nc-3.0", "c-1 cc-by-nc-3.0"};
  CHECK(kept_of(chain) == all);
  std::reverse(chain.begin(), chain.end());
  CHECK(kept_of(chain) == all);
  const auto last = cut_of("c-1", "10", "cc-by-nc-3.0", "b-1");
  CHECK(kept_of({song("a-1", "Rain", "60", "cc0"), cut_of("b-1", "30", "cc0", "a-1"), last}) == all);
  // The middle cut may have no row, an original may have no duration, and a cycle ends.
  auto bare = song("a-1", "Rain", "60", "cc-by-nc-3.0");
  bare.duration_s.reset();
  CHECK(kept_of({bare, cut_of("b-1", "30", "cc0", "a-1")}) == Kept{"b-1 cc-by-nc-3.0"});
  CHECK(kept_of({cut_of("a-1", "60", "cc0", "b-1"), cut_of("b-1", "30", "cc-by-4.0", "a-1")}) ==
        Kept{"a-1 cc-by-4.0", "b-1 cc-by-4.0"});
  CHECK(kept_of({cut_of("a-1", "60", "cc0", "a-1")}) == Kept{"a-1 cc0"});
}

TEST_CASE("a mix of several sounds has the strictest license of all and is not merged with any of them (LINE-15)") {
  auto mix = song("game-1", "Storm", "30", "cc0");
  mix.made_from = {"sounds-1", "sounds-2"};
  const auto rain = song("sounds-1", "Rain", "30", "cc0");
  const auto wind = song("sounds-2", "Wind", "12", "cc-by-nc-4.0");
  CHECK(kept_of({rain, wind, mix}) == Kept{"game-1 cc-by-nc-4.0", "sounds-1 cc0", "sounds-2 cc-by-nc-4.0"});
  CHECK(kept_of({mix, wind, rain}) == Kept{"game-1 cc-by-nc-4.0", "sounds-1 cc0", "sounds-2 cc-by-nc-4.0"});
}

TEST_CASE("a track whose license requires a credit needs an artist, from its own row or another (LINE-13)") {
  auto nameless = song("a-1", "Rain", "60", "cc-by-3.0");
  nameless.artist = " ";
  const auto out = joined_of({nameless});
  CHECK(out.kept.empty());
  CHECK(out.report.count(Reason::artist_missing) == 1);
  CHECK(joined_of({nameless}, Origin::canonical).kept.size() == 1);
  auto free = nameless;
  free.license = "cc0";
  CHECK(kept_of({free}) == Kept{"a-1 cc0"});
  // The license of another row may require a credit. A row that is not a track may name the artist, in either order.
  CHECK(kept_of({free, Rejection{Reason::license_version_missing, "", "a-1", "cc-by"}}).empty());
  const auto named = song("a-1", "Rain", "60", "cc-by-4.0");
  CHECK(kept_of({free, named}) == Kept{"a-1 cc-by-4.0"});
  auto without_length = named;
  without_length.duration_s.reset();
  CHECK(kept_of({without_length, free}) == Kept{"a-1 cc-by-4.0"});
  CHECK(kept_of({free, without_length}) == Kept{"a-1 cc-by-4.0"});

  Report report;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  report.begin_input("all");
  auto credit = song("a-1", "Something else", "1", "cc-by");
  credit.duration_s.reset();
  credit.source_page = "https://a.example/rain";
  intake.add(1, nameless, Origin::source);
  intake.add(2, credit, Origin::supplement);
  const auto tracks = test::tracks_of(intake.finish().tracks);
  REQUIRE(tracks.size() == 1);
  CHECK(tracks[0].title == "Rain");
  CHECK(tracks[0].artist == "Ann Bell");
  CHECK(tracks[0].source_page == "https://a.example/rain");
  CHECK(license(tracks[0].license).name_id == "cc-by-3.0");
}

}  // namespace tonearm::builder
