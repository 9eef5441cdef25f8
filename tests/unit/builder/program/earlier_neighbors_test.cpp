#include "program/earlier_neighbors.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "fakes.h"
#include "program/build.h"
#include "review/opened_snapshot.h"
#include "scratch_folder.h"
#include "similar/neighbor_collector.h"
#include "similar/pool_digest.h"
#include "system/system_ports.h"
#include "tonearm/snapshot_writer.h"
#include "track_files.h"

namespace tonearm::builder {
namespace {

using Lines = std::vector<std::string>;

std::string random_line(test::SeededRandom& random, std::uint64_t number) {
  const auto word = [&](const char* kind, std::uint64_t count) { return kind + std::to_string(random.below(count)); };
  const bool is_music = random.below(3) != 0;
  return R"({"id":"x-)" + std::to_string(number) + R"(","kind":")" + (is_music ? "music" : "sfx") + R"(","title":")" +
         word("Rain", 30) + " " + word("Song", 40) + R"(","artist":")" + word("Ann", 25) + R"(","duration_s":)" +
         std::to_string(5 + random.below(200)) + R"(,"license":")" + (random.below(4) == 0 ? "cc-by-nc-4.0" : "cc0") +
         R"(","source":"a.example","tags":{")" + (is_music ? "genre" : "sfx") + R"(":[")" + word("t", 12) + R"(",")" +
         word("u", 15) + "\"]}}\n";
}

Lines random_lines(test::SeededRandom& random, std::uint64_t count) {
  Lines lines;
  lines.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) lines.push_back(random_line(random, i));
  return lines;
}

/// Removes, adds, changes or reorders some of the lines.
void change(Lines& lines, test::SeededRandom& random) {
  for (std::uint64_t i = 0; i < 12; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(lines.size()));
    switch (random.below(4)) {
      case 0:
        lines.erase(lines.begin() + at);
        break;
      case 1:
        lines.insert(lines.begin() + at, random_line(random, 100'000 + random.below(1'000'000)));
        break;
      case 2:
        lines[static_cast<std::size_t>(at)] = random_line(random, random.below(500));
        break;
      default:
        std::rotate(lines.begin(), lines.begin() + at, lines.end());
    }
  }
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

Report build(const test::ScratchFolder& folder, const Lines& lines, const std::string& output,
             const std::string& earlier = {}) {
  native::OpensslHashing hashing;
  BuildOptions options;
  options.inputs.push_back({"", folder.write("in.jsonl", joined(lines))});
  options.output = folder.path(output);
  if (!earlier.empty()) options.earlier = folder.path(earlier);
  return build_catalog(options, hashing);
}

}  // namespace

// BUILD-25
TEST_CASE("a build with an earlier snapshot yields the same bytes as one without, after any change" *
          doctest::test_suite("long")) {
  test::SeededRandom random(3);
  const test::ScratchFolder folder;
  auto lines = random_lines(random, 400);
  CHECK(build(folder, lines, "kept.sqlite").repairs.empty());
  for (int round = 0; round < 6; ++round) {
    change(lines, random);
    const auto fresh = "full" + std::to_string(round) + ".sqlite";
    build(folder, lines, fresh);
    CHECK(build(folder, lines, "kept.sqlite").repairs.empty());
    CHECK(folder.read("kept.sqlite") == folder.read(fresh));
  }
}

// BUILD-25
TEST_CASE("an earlier snapshot may have any path, and its tracks are matched by id") {
  test::SeededRandom random(4);
  const test::ScratchFolder folder;
  auto lines = random_lines(random, 60);
  build(folder, lines, "old.sqlite");
  lines.erase(lines.begin(), lines.begin() + 10);
  CHECK(build(folder, lines, "new.sqlite", "old.sqlite").repairs.empty());
  build(folder, lines, "full.sqlite");
  CHECK(folder.read("new.sqlite") == folder.read("full.sqlite"));

  StringTable ids;
  for (const auto* id : {"x-20", "unknown", "x-21"}) ids.add(id);
  native::OpensslHashing hashing;
  const EarlierSnapshot earlier(folder.path("old.sqlite"), ids, hashing);
  CHECK(earlier.list(1).empty());
  CHECK_FALSE(earlier.terms(1));
  const bool is_commercial = lines[10].find("cc-by-nc-4.0") == std::string::npos;
  CHECK(earlier.terms(0) == Traits::terms_of(is_commercial, is_commercial));
  for (const auto neighbor : earlier.list(0)) CHECK(neighbor == 2);
  CHECK(earlier.message().empty());
}

/// Replaces a text in each line that has it, with a chance of one in `one_in`.
void replace_in_some(Lines& lines, std::string_view from, std::string_view to, test::SeededRandom& random,
                     std::uint64_t one_in) {
  for (auto& line : lines) {
    const auto at = line.find(from);
    if (at != std::string::npos && random.below(one_in) == 0) line.replace(at, from.size(), to);
  }
}

// BUILD-25
TEST_CASE("lists are kept if only links or licenses changed, and the build yields the same bytes") {
  test::SeededRandom random(9);
  const test::ScratchFolder folder;
  auto lines = random_lines(random, 300);
  build(folder, lines, "kept.sqlite");
  const auto similar_digests = [&] {
    std::map<std::string, std::string> digests;
    const OpenedSnapshot snapshot(folder.path("kept.sqlite"));
    for (const auto& [key, value] : snapshot_manifest(snapshot.file())) {
      if (key.starts_with("similar_")) digests[key] = value;
    }
    return digests;
  };
  const auto first = similar_digests();
  CHECK(first.size() == 2);  // of music and effects
  struct Change {
    std::string_view from;
    std::string_view to;
    std::uint64_t one_in;
    bool keeps_terms;
    bool keeps_tracks;
  };
  const std::array<Change, 4> changes{{{"a.example", "b.example", 3, true, true},
                                       {R"("cc0")", R"("cc-by-4.0")", 30, false, true},
                                       {R"("cc-by-nc-4.0")", R"("cc0")", 20, false, true},
                                       {"Rain", "Snow", 3, true, false}}};
  for (const auto& [from, to, one_in, keeps_terms, keeps_tracks] : changes) {
    const auto before = similar_digests();
    replace_in_some(lines, from, to, random, one_in);
    CHECK(build(folder, lines, "kept.sqlite").repairs.empty());
    build(folder, lines, "full.sqlite");
    CHECK(folder.read("kept.sqlite") == folder.read("full.sqlite"));
    std::filesystem::remove(folder.path("full.sqlite"));
    for (const auto& [key, value] : similar_digests()) {
      const auto then = digest_from(before.at(key));
      const auto now = digest_from(value);
      CHECK((then.tracks == now.tracks) == keeps_tracks);
      if (keeps_terms) CHECK(then.terms == now.terms);
    }
  }
}

// BUILD-25
TEST_CASE("lists of a snapshot that states the same digest but is damaged are neither kept nor updated") {
  test::SeededRandom random(10);
  const test::ScratchFolder folder;
  auto lines = random_lines(random, 300);
  build(folder, lines, "full.sqlite");
  auto damaged = folder.read("full.sqlite");
  // Exchanges two ids in the rendered tracks, which gives each the neighbors of the other.
  const auto first = damaged.find("x-100");
  const auto second = damaged.find("x-200");
  REQUIRE(first != std::string::npos);
  REQUIRE(second != std::string::npos);
  damaged.replace(first, 5, "x-200");
  damaged.replace(second, 5, "x-100");
  folder.write("damaged.sqlite", damaged);
  for (const bool have_other_licenses : {false, true}) {
    if (have_other_licenses) replace_in_some(lines, R"("cc0")", R"("cc-by-4.0")", random, 30);
    const auto report = build(folder, lines, "new.sqlite", "damaged.sqlite");
    std::filesystem::remove(folder.path("full.sqlite"));
    build(folder, lines, "full.sqlite");
    CHECK(folder.read("new.sqlite") == folder.read("full.sqlite"));
    REQUIRE(report.repairs.size() == 1);
    CHECK(report.repairs.begin()->first.starts_with(folder.path("damaged.sqlite") + ": "));
  }
}

// BUILD-25
TEST_CASE("an unusable earlier snapshot is reported, and the build yields the same bytes") {
  test::SeededRandom random(6);
  const test::ScratchFolder folder;
  const auto lines = random_lines(random, 80);
  build(folder, lines, "full.sqlite");
  folder.write("nonsense", "no snapshot");
  for (const auto* name : {"nonsense", "absent"}) {
    const auto report = build(folder, lines, "new.sqlite", name);
    REQUIRE(report.repairs.size() == 1);
    CHECK(report.repairs.begin()->first.starts_with(folder.path(name)));
    CHECK(report.repairs.begin()->first.ends_with("; similar tracks are computed without it"));
    CHECK(folder.read("new.sqlite") == folder.read("full.sqlite"));
  }
  CHECK(build(folder, lines, "nonsense").repairs.size() == 1);  // the file at the output
  CHECK(folder.read("nonsense") == folder.read("full.sqlite"));
}

// BUILD-25
TEST_CASE("a damaged earlier snapshot never changes the build" * doctest::test_suite("long")) {
  test::SeededRandom random(8);
  const test::ScratchFolder folder;
  const auto lines = random_lines(random, 80);
  build(folder, lines, "full.sqlite");
  const auto whole = folder.read("full.sqlite");
  for (int round = 0; round < 60; ++round) {
    auto damaged = whole;
    for (int i = 0; i < 200; ++i) damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    if (round % 4 == 0) damaged.resize(random.below(damaged.size()));
    folder.write("damaged.sqlite", damaged);
    build(folder, lines, "new.sqlite", "damaged.sqlite");
    CHECK(folder.read("new.sqlite") == whole);
  }
}

}  // namespace tonearm::builder
