#include "program/build.h"

#include <doctest/doctest.h>

#include <iostream>

#include "canonical/parallel_lines.h"
#include "input/thesaurus.h"
#include "intake/intake.h"
#include "mapping/adapter.h"
#include "neighbors_in_memory.h"
#include "program/earlier_neighbors.h"
#include "program/input_ledger.h"
#include "review/inspection.h"
#include "scratch_folder.h"
#include "snapshot/snapshot_on_disk.h"
#include "system/system_ports.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"
#include "track_files.h"

// Real metadata that is not part of the project. Other programs counted the expected values.
namespace tonearm::builder {
namespace {

constexpr const char* kData = TONEARM_SOURCE_DIR "/../shared/data/";

bool is_absent(const std::string& source) {
  if (std::filesystem::is_directory(kData + source)) return false;
  std::cout << "skipped: there is no ../shared/data/" << source << "\n";
  return true;
}

struct Read {
  Report report;
  std::vector<Track> tracks;
};

Read read(const std::string& source, CheckOptions options = {}) {
  Read result;
  native::OpensslHashing hashing;
  Intake intake(std::move(options), {}, test::folder_of_temporary_files(), result.report);
  read_source(find_mapping(source), kData + source, hashing, result.report,
              [&](std::uint64_t number, std::variant<Line, Rejection> line) {
                intake.add(number, std::move(line), Origin::source);
              });
  result.tracks = test::tracks_of(intake.finish().tracks);
  result.report.count_tracks(TracksInMemory(result.tracks));
  return result;
}

/// Returns the version of a build without the cleaning step.
std::string version_without_cleaning(const BuildOptions& build, const std::string& output) {
  native::OpensslHashing hashing;
  Report report;
  CheckOptions checks;
  checks.media_url = build.site_url + "/media";
  Intake intake(checks, {}, test::folder_of_temporary_files(), report);
  const auto lines = build.inputs.at(0).path;
  report.begin_input(lines);
  ParallelLines reader(lines, false, 1);
  while (auto parsed = reader.next()) {
    for (auto& [number, line] : parsed->lines) intake.add(number, std::move(line));
  }
  const auto mapping = find_mapping(build.inputs.at(1).source);
  read_source(mapping, build.inputs.at(1).path, hashing, report,
              [&](std::uint64_t number, std::variant<Line, Rejection> line) {
                intake.add(number, std::move(line), Origin::source);
              });
  const auto collected = intake.finish();
  auto tracks = test::tracks_of(collected.tracks);
  SnapshotOptions options;
  options.similar_digests = manifest_entries(compute_neighbors(tracks, collected.has_given_neighbors));
  auto labels = built_in_labels();
  options.tag_labels = std::move(labels.tags);
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& [id, label] : mapping.labels[facet]) options.tag_labels[facet][id] = label;
  }
  options.source_names = std::move(labels.sources);
  options.source_names[mapping.domain] = mapping.source_name;
  auto thesaurus = built_in_thesaurus();
  options.synonyms = std::move(thesaurus.synonyms);
  options.relations = std::move(thesaurus.relations);
  native::Progress silent;
  options.inputs = InputLedger(build, hashing, silent).entries();  // the version depends on the manifest
  SnapshotFileWriter file(output);
  return write_snapshot(file, TracksInMemory(tracks), options, hashing).version;
}

std::uint64_t repairs(const Report& report, const std::string& what) {
  const auto found = report.repairs.find(what);
  return found == report.repairs.end() ? 0 : found->second;
}

}  // namespace

TEST_CASE("exactly the tracks of freemusi.cc under cc0, by and by-nc 3.0 and 4.0 are kept, each once" *
          doctest::test_suite("long")) {
  if (is_absent("freemusi-cc")) return;
  const auto [report, tracks] = read("freemusi-cc");
  REQUIRE(report.inputs().size() == 1);
  CHECK(report.inputs()[0].rows == 21'502);
  // 1,143 rows have such a license; 28 of them repeat the address of another, and one is by "Unknown Artist" (LINE-16).
  CHECK(tracks.size() == 1'114);
  CHECK(report.count(Reason::artist_missing) == 1);
  std::uint64_t repeated = 0;
  for (const auto& [id, count] : report.by_license) {
    CHECK((id == "cc0" || id == "cc-by-3.0" || id == "cc-by-nc-3.0"));
    repeated += count;
  }
  CHECK(repeated == 1'114);
  // Those 28, and 356 that repeat the address of a row that is rejected for its license.
  CHECK(report.count(Reason::duplicate_id) == 384);
  CHECK(report.count(Reason::license_unknown) == 0);
  // by-sa 529, by-nc-sa 3,138 and 13, of which 58 are repeated; 2,238 without a license, some without a title too.
  CHECK(report.count(Reason::share_alike) == 529 + 3'138 + 13 - 58);
  CHECK(report.count(Reason::license_missing) + report.count(Reason::title_missing) == 2'238);
  CHECK(repairs(report, "freemusi-cc: double-encoded title repaired") > 300);
  CHECK(repairs(report, "freemusi-cc: double-encoded artist repaired") > 300);
  for (const auto& track : tracks) {
    CHECK(track.title.find("\xC3\x83") == std::string::npos);
    CHECK(track.source_page.find("archive.org/details/") != std::string::npos);
  }
}

TEST_CASE("all 1,432 rows of incompetech of 2025 are kept, with their stated license" * doctest::test_suite("long")) {
  if (is_absent("incompetech")) return;
  const auto [report, tracks] = read("incompetech");
  REQUIRE(report.inputs().size() == 2);
  CHECK(report.inputs()[0].rows == 1'432);
  CHECK(report.inputs()[1].rows == 1'177);
  CHECK(report.by_license.at("cc-by-3.0") + report.rejected_total() == 1'432 + 1'177);
  CHECK(report.inputs()[1].kept == 0);
  // 8 tracks are only in the file of 2016, which states no license.
  CHECK(report.count(Reason::license_missing) == 8);
  std::uint64_t without_tempo = 0;
  for (const auto& track : tracks) {
    without_tempo += track.bpm_hundredths == 0 ? 1 : 0;
    CHECK(track.description.find("Licensed under") == std::string::npos);
    CHECK(track.description.find("incompetech.com)") == std::string::npos);
    CHECK(track.bpm_hundredths <= 24'000);
  }
  CHECK(without_tempo >= 240);
  // Three tracks have 0:00 in both files, which is no duration.
  CHECK(report.count(Reason::duration_missing) == 6);
  CHECK(tracks.size() == 1'429);
}

TEST_CASE("the evaluation profile keeps tracks that are only in the file of 2016" * doctest::test_suite("long")) {
  if (is_absent("incompetech")) return;
  CheckOptions options;
  options.evaluation = true;
  const auto [report, tracks] = read("incompetech", options);
  CHECK(tracks.size() == 1'440);
  CHECK(report.by_license.at("unknown") == 8);
}

TEST_CASE("two builds of both sources yield the same valid bytes" * doctest::test_suite("long")) {
  if (is_absent("incompetech") || is_absent("freemusi-cc")) return;
  const test::ScratchFolder folder;
  native::OpensslHashing hashing;
  BuildOptions options;
  options.inputs = {{"freemusi-cc", std::string(kData) + "freemusi-cc"},
                    {"incompetech", std::string(kData) + "incompetech"}};
  options.output = folder.path("a.sqlite");
  const auto first = build_catalog(options, hashing);
  options.output = folder.path("b.sqlite");
  CHECK(build_catalog(options, hashing).version == first.version);
  CHECK(folder.read("a.sqlite") == folder.read("b.sqlite"));
  // 16 tracks of freemusi.cc are songs of incompetech, and 3 songs are also there under NoDerivatives (LINE-14).
  CHECK(first.count(Reason::duplicate_recording) == 16);
  CHECK(first.count(Reason::license_contradiction) == 3);
  CHECK(first.track_count == 1'114 + 1'429 - 16 - 3);
  CHECK_NOTHROW(verify_file(folder.path("a.sqlite"), {}, hashing));
}

// BUILD-18
TEST_CASE("a build with all rules off is the snapshot of the uncleaned rows" * doctest::test_suite("long")) {
  if (is_absent("incompetech")) return;
  const test::ScratchFolder folder;
  const auto lines = folder.write(
      "in.jsonl", R"({"id":"x-1","kind":"sfx","title":"loud_rain.wav","artist":"Ann","duration_s":12,"license":"cc0",)"
                  R"("source":"a.example","tags":{"sfx":["kazoo"]}})"
                  "\n");
  std::string policy = "[rules]\n";
  for (const auto name : kRuleNames) policy += std::string(name) + " = false\n";
  native::OpensslHashing hashing;
  BuildOptions options;
  options.inputs = {{"", lines}, {"incompetech", std::string(kData) + "incompetech"}};
  options.output = folder.path("cleaned.sqlite");
  const auto cleaned = build_catalog(options, hashing);
  options.policy = folder.write("policy.toml", policy);
  options.output = folder.path("off.sqlite");
  const auto off = build_catalog(options, hashing);
  CHECK(off.rules_off.size() == kRuleNames.size());
  CHECK(off.cleaned.empty());
  CHECK(off.version != cleaned.version);
  CHECK(off.version == version_without_cleaning(options, folder.write("read.sqlite", "")));
}

}  // namespace tonearm::builder
