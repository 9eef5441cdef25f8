#include "intake/intake.h"
#include "track_files.h"

#include <doctest/doctest.h>

#include <ctime>

namespace tonearm::builder {
namespace {

Line line_of(const std::string& id, std::optional<std::string> license, const std::string& original = {}) {
  Line line;
  line.id = id;
  line.kind = "music";
  line.title = "T";
  line.artist = "A";
  line.duration_s = "1";
  line.license = std::move(license);
  line.source = "a.example";
  if (!original.empty()) line.original_url = original;
  return line;
}

struct Outcome {
  Report report;
  std::vector<Track> tracks;
};

RecordingEvidence at_address(const char* url) {
  RecordingEvidence evidence;
  evidence.audio.emplace_back(url);
  return evidence;
}

/// Adds each line as the first of its own input.
Outcome outcome_of(std::vector<std::variant<Line, Rejection>> lines, CheckOptions options = {},
                   Origin origin = Origin::source) {
  Outcome result;
  Intake intake(std::move(options), {}, test::folder_of_temporary_files(), result.report);
  for (auto& line : lines) {
    result.report.begin_input("input" + std::to_string(result.report.inputs().size() + 1));
    intake.add(7, std::move(line), origin);
  }
  result.tracks = test::tracks_of(intake.finish().tracks);
  return result;
}

/// Returns the license of the one recording of these rows, or "out".
std::string license_of(const std::vector<std::optional<std::string>>& stated, bool allow_share_alike = false) {
  std::vector<std::variant<Line, Rejection>> lines;
  for (const auto& license : stated) {
    if (license == "nd") {
      lines.emplace_back(Rejection{Reason::no_derivatives, "", "a-1"});
    } else {
      lines.emplace_back(line_of("a-1", license));
    }
  }
  CheckOptions options;
  options.allow_share_alike = allow_share_alike;
  const auto result = outcome_of(std::move(lines), options);
  std::uint64_t kept = 0;
  for (const auto& input : result.report.inputs()) kept += input.kept;
  CHECK(kept == result.tracks.size());
  return result.tracks.empty() ? "out" : std::string(license(result.tracks[0].license).name_id);
}

}  // namespace

TEST_CASE("the strictest license that sources state for a recording counts, in any order (LINE-8)") {
  struct Case {
    const char* one;
    const char* other;
    const char* taken;
  };
  for (const auto& row : {
           Case{"cc0", "cc-by-4.0", "cc-by-4.0"},
           Case{"cc-by-4.0", "cc-by-4.0", "cc-by-4.0"},
           Case{"cc-by-3.0", "cc-by-4.0", "cc-by-3.0"},
           Case{"oga-by-3.0", "cc-by-4.0", "cc-by-4.0"},
           Case{"oga-by-3.0", "cc-by", "out"},  // CC is stricter, and its version is unknown
           Case{"cc-by-3.0", "cc-by-nc-4.0", "cc-by-nc-4.0"},
           Case{"cc0", "nd", "out"},
           Case{"cc-by-nc-3.0", "nd", "out"},
           Case{"cc0", "gpl", "out"},
           Case{"cc-by-3.0", "cc-by-sa-3.0", "out"},  // the policy rejects ShareAlike
           Case{"cc-by-3.0", "cc-by", "cc-by-3.0"},   // the same without its version
           Case{"cc-by-3.0", "cc-by-nc", "out"},      // stricter and without its version
           Case{"cc-by-nc-3.0", "cc-by", "cc-by-nc-3.0"},
       }) {
    CAPTURE(row.one);
    CAPTURE(row.other);
    CHECK(license_of({row.one, row.other}) == row.taken);
    CHECK(license_of({row.other, row.one}) == row.taken);
    CHECK(license_of({std::nullopt, row.other, row.one}) == row.taken);
  }
  CHECK(license_of({"cc-by-3.0", "cc-by-sa-4.0"}, true) == "cc-by-sa-4.0");
  CHECK(license_of({"cc-by", "cc-by-4.0", "cc-by-3.0"}) == "cc-by-3.0");
  // NonCommercial and ShareAlike do not cover each other.
  CHECK(license_of({"cc-by-nc-3.0", "cc-by-sa-3.0"}, true) == "out");
  CHECK(license_of({"cc-by-sa-3.0", "cc-by-nc-3.0"}, true) == "out");
}

TEST_CASE("the outcome of up to three statements does not depend on their order" * doctest::test_suite("long")) {
  const std::vector<std::optional<std::string>> all{
      "cc0",          "cc-by-3.0",    "cc-by-4.0",    "oga-by-3.0",      "oga-by-4.0",      "cc-by",
      "cc-by-sa-3.0", "cc-by-sa",     "cc-by-nc-3.0", "cc-by-nc-4.0",    "cc-by-nc",        "nd",
      std::nullopt,   "cc-by-sa-4.0", "gpl-unknown",  "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nc-sa"};
  for (const bool allow_share_alike : {false, true}) {
    for (const auto& a : all) {
      for (const auto& b : all) {
        for (const auto& c : all) {
          const auto taken = license_of({a, b, c}, allow_share_alike);
          CAPTURE(a.value_or("none"));
          CAPTURE(b.value_or("none"));
          CAPTURE(c.value_or("none"));
          CHECK(license_of({c, a, b}, allow_share_alike) == taken);
          CHECK(license_of({b, a, c}, allow_share_alike) == taken);
        }
      }
    }
  }
  CHECK(license_of({"cc-by-nc-sa-3.0", "cc-by-nc-3.0", "cc-by-sa-3.0"}, true) == "cc-by-nc-sa-3.0");
  CHECK(license_of({"cc-by-nc-3.0", "cc-by-sa-3.0", "cc-by-nc-sa-4.0"}, true) == "cc-by-nc-sa-4.0");
}

TEST_CASE("rows with the same audio address are one recording, even if they are rejected (LINE-8)") {
  const char* address = "https://a.example/x.mp3";
  const auto by_nd = [&](const std::string& id) {
    return Rejection{Reason::no_derivatives, "", id, {}, at_address(address)};
  };
  auto untitled = line_of("a-2", "cc-by-nc-3.0", address);
  untitled.title.reset();
  const Rejection broken{Reason::row_broken, "", "a-2", "cc-by-nc-4.0", at_address(address)};
  struct Case {
    std::variant<Line, Rejection> one;
    std::variant<Line, Rejection> other;
    const char* taken;
  };
  for (const auto& row :
       {Case{line_of("a-1", "cc0", address), by_nd("a-2"), "out"},
        Case{line_of("a-1", "cc-by-4.0", address), by_nd("a-2"), "out"},
        Case{line_of("a-1", "cc0", address), line_of("a-2", "cc-by-sa-3.0", address), "out"},
        Case{line_of("a-1", "cc0", address), untitled, "cc-by-nc-3.0"},
        Case{line_of("a-1", "cc0", address), broken, "cc-by-nc-4.0"},
        Case{line_of("a-1", "cc-by-3.0", address), line_of("a-2", std::nullopt, address), "cc-by-3.0"}}) {
    for (const auto& lines : {std::vector{row.one, row.other}, std::vector{row.other, row.one}}) {
      CAPTURE(row.taken);
      const auto result = outcome_of(lines);
      CHECK((result.tracks.empty() ? "out" : std::string(license(result.tracks[0].license).name_id)) == row.taken);
      CHECK(result.tracks.size() <= 1);
    }
  }
  // All four rows are one recording through two addresses and two ids.
  auto both = line_of("a-2", "cc0", address);
  both.preview_url = "https://a.example/y.mp3";
  const auto result =
      outcome_of({line_of("a-1", "cc0", address), both, line_of("a-3", "cc0"),
                  Rejection{Reason::no_derivatives, "", "a-4", {}, at_address("http://www.a.example/y.mp3")}});
  REQUIRE(result.tracks.size() == 1);
  CHECK(result.tracks[0].id == "a-3");
  CHECK(result.report.contradictions().size() == 1);
}

TEST_CASE("a source statement rejects the track of an id in the evaluation profile too, in either order") {
  CheckOptions evaluation;
  evaluation.evaluation = true;
  const Rejection no_derivatives{Reason::no_derivatives, "", "a-1"};
  CHECK(outcome_of({line_of("a-1", std::nullopt), no_derivatives}, evaluation).tracks.empty());
  CHECK(outcome_of({no_derivatives, line_of("a-1", std::nullopt)}, evaluation).tracks.empty());
  for (const auto& lines :
       {std::vector<std::variant<Line, Rejection>>{line_of("a-1", "cc-by"), line_of("a-1", "cc-by-3.0")},
        {line_of("a-1", "cc-by-3.0"), line_of("a-1", "cc-by")}}) {
    const auto result = outcome_of(lines, evaluation);
    REQUIRE(result.tracks.size() == 1);
    CHECK(license(result.tracks[0].license).name_id == "cc-by-3.0");
  }
}

TEST_CASE("of tracks with one audio address the taken-down one is kept, in either order (LINE-18)") {
  auto down = line_of("a-2", "cc0", "https://a.example/1.mp3");
  down.taken_down = true;
  const auto other = line_of("a-1", "cc0", "https://a.example/1.mp3");
  for (const auto& lines : {std::vector<std::variant<Line, Rejection>>{down, other}, {other, down}}) {
    const auto result = outcome_of(lines);
    REQUIRE(result.tracks.size() == 1);
    CHECK(result.tracks[0].id == "a-2");
    CHECK(result.tracks[0].taken_down);
  }
}

TEST_CASE("a license that another row states is not verified (LINE-17)") {
  auto verified = line_of("a-1", "cc-by-4.0");
  verified.license_status = "verified";
  const auto status = [](const Outcome& outcome) { return outcome.tracks.at(0).license_status; };
  CHECK(status(outcome_of({verified, line_of("a-1", "cc0")})) == LicenseStatus::verified);
  CHECK(status(outcome_of({verified, line_of("a-1", "cc-by-3.0")})) == LicenseStatus::listed);
}

TEST_CASE("the report lists contradictions between sources") {
  const auto result =
      outcome_of({line_of("a-1", "cc-by-3.0"), line_of("a-1", "cc-by-nc-3.0"), line_of("a-2", "cc0"),
                  line_of("a-2", "cc0"), line_of("a-3", "cc0"), Rejection{Reason::license_ported, "", "a-3"}});
  REQUIRE(result.report.contradictions().size() == 2);
  const auto& first = result.report.contradictions()[0];
  CHECK(first.id == "a-1");
  CHECK(first.chosen.id == "cc-by-nc-3.0");
  CHECK(result.report.inputs()[first.chosen.input].file == "input2");
  CHECK(first.chosen.line == 7);
  CHECK(first.milder.id == "cc-by-3.0");
  CHECK(result.report.inputs()[first.milder.input].file == "input1");
  CHECK(result.report.contradictions()[1].chosen.id.empty());
  CHECK(result.report.count(Reason::license_contradiction) == 1);
  CHECK(result.report.to_json().find(R"("license_contradictions_total":2)") != std::string::npos);
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[1].id == "a-2");
}

TEST_CASE("canonical lines are independent: the first of an id counts unchanged (LINE-3)") {
  const auto result =
      outcome_of({line_of("a-1", "cc0"), line_of("a-1", "cc-by-nc-3.0"), line_of("a-2", "cc0")}, {}, Origin::canonical);
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[0].license == LicenseId::cc0);
  CHECK(result.report.contradictions().empty());
}

TEST_CASE("rows of sources that share the address of the audio are one track, under the stricter license") {
  const auto result = outcome_of({line_of("a-1", "cc0", "http://www.A.example/x.mp3"),
                                  line_of("a-2", "cc-by-4.0", "https://a.example/x.mp3/"),
                                  line_of("a-3", "cc0", "https://a.example/X.mp3")});
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[0].id == "a-1");
  CHECK(license(result.tracks[0].license).name_id == "cc-by-4.0");
  CHECK(result.report.count(Reason::duplicate_url) == 1);
  const auto lines =
      outcome_of({line_of("a-1", "cc0", "http://a.example/x"), line_of("a-2", "cc0", "http://a.example/x")}, {},
                 Origin::canonical);
  CHECK(lines.tracks.size() == 2);
}

TEST_CASE("a supplement adds tags and a category to the tracks of its ids, in either order of reading") {
  auto more = line_of("a-1", std::nullopt);
  more.title.reset();
  more.tags[0] = {"rock", "pop"};
  more.category = "fx-a";
  auto again = more;
  again.tags[0] = {"ska", "rock"};
  auto other = more;
  other.id = "a-9";
  for (const bool is_first : {true, false}) {
    Report report;
    Intake intake({}, {}, test::folder_of_temporary_files(), report);
    auto track = line_of("a-1", "cc0");
    track.tags[0] = {"rock"};
    const auto take_track = [&] {
      report.begin_input("tracks");
      intake.add(1, track, Origin::source);
    };
    if (!is_first) take_track();
    report.begin_input("tags");
    for (const auto& line : {more, again, other}) intake.add(1, line, Origin::supplement);
    if (is_first) take_track();
    const auto tracks = test::tracks_of(intake.finish().tracks);
    REQUIRE(tracks.size() == 1);
    CHECK(tracks[0].tags[0] == std::vector<std::string>{"rock", "pop", "ska"});
    CHECK(kCategories[*tracks[0].category].id == "fx-a");
    CHECK(tracks[0].license == LicenseId::cc0);
    CHECK(report.count(Reason::title_missing) == 1);
    for (const auto& input : report.inputs()) {
      if (input.file != "tags") continue;
      CHECK(input.rows == 3);
      CHECK(input.joined == 2);
    }
  }
  CheckOptions evaluation;
  evaluation.evaluation = true;
  CHECK(outcome_of({more, again, other}, evaluation, Origin::supplement).tracks.size() == 2);
}

TEST_CASE("a supplement adds energy and tone too, unless two rows disagree") {
  auto calm = line_of("a-1", std::nullopt);
  calm.title.reset();
  calm.energy = "calm";
  calm.tone = "dark";
  auto driving = calm;
  driving.energy = "driving";
  auto steady = line_of("a-1", "cc0");
  steady.energy = "steady";
  const auto with = [&](const Line& track, const std::vector<Line>& more) {
    Report report;
    Intake intake({}, {}, test::folder_of_temporary_files(), report);
    report.begin_input("all");
    intake.add(1, track, Origin::source);
    for (const auto& line : more) intake.add(1, line, Origin::supplement);
    return intake.finish().tracks.read(0);
  };
  const auto plain = line_of("a-1", "cc0");
  CHECK(with(plain, {calm}).energy == Energy::calm);
  CHECK(with(plain, {calm}).tone == Tone::dark);
  CHECK_FALSE(with(plain, {calm, driving, calm}).energy);
  CHECK(with(plain, {calm, driving}).tone == Tone::dark);
  CHECK(with(steady, {calm}).energy == Energy::steady);
}

TEST_CASE("a supplement row with a title becomes a track if no other row does, and always states its license") {
  auto tags = line_of("a-1", std::nullopt);
  tags.title.reset();
  tags.tags[0] = {"rock"};
  auto file = line_of("a-1", "cc-by-nc-3.0");
  file.title = "file_01";
  for (const auto& more : {std::vector{tags, file}, std::vector{file, tags}}) {
    Report report;
    Intake intake({}, {}, test::folder_of_temporary_files(), report);
    report.begin_input("all");
    for (const auto& line : more) intake.add(1, line, Origin::supplement);
    const auto tracks = test::tracks_of(intake.finish().tracks);
    REQUIRE(tracks.size() == 1);
    CHECK(tracks[0].title == "file_01");
    CHECK(tracks[0].tags[0] == std::vector<std::string>{"rock"});
  }
  Report report;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  report.begin_input("all");
  intake.add(1, file, Origin::supplement);
  intake.add(2, line_of("a-1", "cc-by-3.0"), Origin::source);
  const auto tracks = test::tracks_of(intake.finish().tracks);
  REQUIRE(tracks.size() == 1);
  CHECK(tracks[0].title == "T");
  CHECK(license(tracks[0].license).name_id == "cc-by-nc-3.0");
  CHECK(report.contradictions().size() == 1);
}

TEST_CASE("a track with very many tags is checked in linear time") {
  auto line = line_of("a-1", "cc0");
  for (int i = 0; i < 200'000; ++i) line.tags[0].push_back("tag" + std::to_string(i % 150'000));
  const auto begin = std::clock();
  const auto result = outcome_of({line});
  REQUIRE(result.tracks.size() == 1);
  CHECK(result.tracks[0].tags[0].size() == 150'000);
  CHECK(std::clock() - begin < 20 * CLOCKS_PER_SEC);  // quadratic time would take minutes
}

TEST_CASE("given neighbors are those of the same ids after tracks before them are removed") {
  const auto effect = [](const std::string& id, std::optional<std::vector<std::string>> neighbors) {
    Line line = line_of(id, "cc0", "https://a.example/" + id + ".mp3");
    line.kind = "sfx";
    line.title = "Title of " + id;
    line.neighbors = std::move(neighbors);
    return line;
  };
  Report report;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  report.begin_input("first");
  intake.add(1, effect("a-1", std::nullopt), Origin::source);
  intake.add(2, effect("a-2", std::vector<std::string>{"a-4", "a-1", "a-3", "a-5"}), Origin::source);
  intake.add(3, effect("a-3", std::vector<std::string>{}), Origin::source);
  intake.add(4, effect("a-4", std::nullopt), Origin::source);
  intake.add(5, effect("a-5", std::nullopt), Origin::source);
  // Another source states a license for the recording of a-1 that is not accepted.
  report.begin_input("second");
  intake.add(1, Rejection{Reason::no_derivatives, "", "b-1", {}, at_address("https://a.example/a-1.mp3")},
             Origin::source);
  // A supplement finds that a-5 is speech, so it is no neighbor of other effects.
  report.begin_input("third");
  Line speech;
  speech.id = "a-5";
  speech.category = "sp-s";
  intake.add(1, speech, Origin::supplement);
  const auto collected = intake.finish();
  const auto tracks = test::tracks_of(collected.tracks);
  REQUIRE(tracks.size() == 4);
  CHECK(tracks[0].id == "a-2");
  CHECK(tracks[0].neighbors == std::vector<std::uint32_t>{2, 1});
  CHECK(tracks[1].neighbors.empty());
  CHECK(collected.has_given_neighbors == std::vector<bool>{true, true, false, false});
  CHECK(report.neighbors_given == 2);
  CHECK(report.neighbors_dropped == 2);
}

}  // namespace tonearm::builder
