#include "intake.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {

Line line_of(const std::string& id, std::optional<std::string> license, const std::string& original = {}) {
  Line line;
  line.id = id;
  line.kind = "music";
  line.title = "T";
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

/// Each line is the first of an input of its own.
Outcome outcome_of(std::vector<std::variant<Line, Fault>> lines, CheckOptions options = {},
                   Origin origin = Origin::source) {
  Outcome result;
  Intake intake(std::move(options), {}, result.report);
  for (auto& line : lines) {
    result.report.begin_input("input" + std::to_string(result.report.inputs().size() + 1));
    intake.take(7, std::move(line), origin);
  }
  result.tracks = intake.finish().tracks;
  return result;
}

/// The license of the one recording that these rows are about, or "out".
std::string license_of(const std::vector<std::optional<std::string>>& stated, bool allow_share_alike = false) {
  std::vector<std::variant<Line, Fault>> lines;
  for (const auto& license : stated) {
    if (license == "nd") {
      lines.emplace_back(Fault{Reason::no_derivatives, "", "a-1"});
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

TEST_CASE("of several licenses that sources state for one recording the stricter is taken, in whatever order (C10.2)") {
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
           Case{"cc-by-3.0", "cc-by-nc-4.0", "cc-by-nc-4.0"},
           Case{"cc0", "nd", "out"},
           Case{"cc-by-nc-3.0", "nd", "out"},
           Case{"cc0", "gpl", "out"},
           Case{"cc-by-3.0", "cc-by-sa-3.0", "out"},  // ShareAlike is left out by policy
           Case{"cc-by-3.0", "cc-by", "cc-by-3.0"},   // the same, without its version
           Case{"cc-by-3.0", "cc-by-nc", "out"},      // stricter, and without its version
           Case{"cc-by-nc-3.0", "cc-by", "cc-by-nc-3.0"},
           Case{"cc0", "cc-zero", "cc0"},
       }) {
    CAPTURE(row.one);
    CAPTURE(row.other);
    CHECK(license_of({row.one, row.other}) == row.taken);
    CHECK(license_of({row.other, row.one}) == row.taken);
    CHECK(license_of({std::nullopt, row.other, row.one}) == row.taken);
  }
  CHECK(license_of({"cc-by-3.0", "cc-by-sa-4.0"}, true) == "cc-by-sa-4.0");
  CHECK(license_of({"cc-by", "cc-by-4.0", "cc-by-3.0"}) == "cc-by-3.0");
  // Neither covers the other: NonCommercial and ShareAlike.
  CHECK(license_of({"cc-by-nc-3.0", "cc-by-sa-3.0"}, true) == "out");
  CHECK(license_of({"cc-by-sa-3.0", "cc-by-nc-3.0"}, true) == "out");
}

TEST_CASE("what sources state against each other stands in the report") {
  const auto result =
      outcome_of({line_of("a-1", "cc-by-3.0"), line_of("a-1", "cc-by-nc-3.0"), line_of("a-2", "cc0"),
                  line_of("a-2", "cc0"), line_of("a-3", "cc0"), Fault{Reason::license_ported, "", "a-3"}});
  REQUIRE(result.report.contradictions().size() == 2);
  const auto& first = result.report.contradictions()[0];
  CHECK(first.id == "a-1");
  CHECK(first.taken.id == "cc-by-nc-3.0");
  CHECK(first.taken.file == "input2");
  CHECK(first.taken.line == 7);
  CHECK(first.milder.id == "cc-by-3.0");
  CHECK(first.milder.file == "input1");
  CHECK(result.report.contradictions()[1].taken.id.empty());
  CHECK(result.report.count(Reason::license_contradiction) == 1);
  CHECK(result.report.to_json().find(R"("license_contradictions_total":2)") != std::string::npos);
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[1].id == "a-2");
}

TEST_CASE("canonical lines stand for themselves: of an id the first stays as it is (C10)") {
  const auto result =
      outcome_of({line_of("a-1", "cc0"), line_of("a-1", "cc-by-nc-3.0"), line_of("a-2", "cc0")}, {}, Origin::canonical);
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[0].license == LicenseId::cc0);
  CHECK(result.report.contradictions().empty());
}

TEST_CASE("rows of sources that share the audio's address are one track, under the stricter license") {
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

TEST_CASE("a supplement gives tags and category to the tracks of its ids, whichever is read first") {
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
    Intake intake({}, {}, report);
    auto track = line_of("a-1", "cc0");
    track.tags[0] = {"rock"};
    const auto take_track = [&] {
      report.begin_input("tracks");
      intake.take(1, track, Origin::source);
    };
    if (!is_first) take_track();
    report.begin_input("tags");
    for (const auto& line : {more, again, other}) intake.take(1, line, Origin::supplement);
    if (is_first) take_track();
    const auto tracks = intake.finish().tracks;
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

}  // namespace tonearm::builder
