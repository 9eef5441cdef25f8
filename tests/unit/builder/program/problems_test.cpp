#include "review/problems.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "memory_catalog.h"
#include "program/build.h"
#include "scratch_folder.h"
#include "system/system_ports.h"

namespace tonearm::builder {
namespace {

std::string line(const std::string& id, const std::string& more) {
  return R"({"id":")" + id + R"(","source":"a.example",)" + more + "}\n";
}

}  // namespace

TEST_CASE("PROGRAM-25: problems of the data are counted and named, with those of credits first") {
  const test::ScratchFolder folder;
  BuildOptions options;
  const std::string good = R"("description":"d","bpm":90,"tags":{"genre":["rock"]},)";
  options.inputs = {
      {"",
       folder.write(
           "in.jsonl",
           line(
               "x-1",
               good +
                   R"("preview_url":"1.mp3","kind":"music","title":"A","artist":"","duration_s":60,"license":"cc-by-4.0")") +
               line("x-2", good +
                               R"("preview_url":"2.mp3","kind":"music","title":"B.wav","artist":"Ann","duration_s":5,)"
                               R"("license":"cc0")") +
               line("x-3", R"("kind":"sfx","title":"C","artist":"Ann","duration_s":2,"license":"cc0")") +
               line("x-4", R"("kind":"sfx","title":"c","artist":"ANN","duration_s":3,"license":"cc0")"))}};
  options.output = folder.path("out.sqlite");
  native::OpensslHashing hashing;
  build_catalog(options, hashing);
  const auto problems = worst_problems(OpenedSnapshot(options.output));
  std::map<std::string, std::uint64_t> counts;
  for (const auto& problem : problems) counts[problem.name] = problem.count;
  CHECK(counts == std::map<std::string, std::uint64_t>{{"no_artist_to_credit", 1},
                                                       {"no_page_to_credit", 1},
                                                       {"title_is_file_name", 1},
                                                       {"doubtful_duration", 1},
                                                       {"same_title_and_artist", 1},
                                                       {"no_preview", 2},
                                                       {"no_tags", 2},
                                                       {"no_category", 2},
                                                       {"no_description", 2}});
  REQUIRE(problems.size() == 9);
  CHECK(problems[0].name == "no_artist_to_credit");
  CHECK(problems[0].examples == std::vector<std::string>{"x-1"});
  CHECK(problems[2].name == "no_preview");  // the most frequent of the next rank
}

TEST_CASE("PROGRAM-25: a title that was tidied for searches is no problem") {
  const test::ScratchFolder folder;
  std::vector<Track> tracks(3);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].id = "x-" + std::to_string(i);
    tracks[i].title = "Rain_" + std::to_string(i) + ".wav";
    tracks[i].duration_ms = 60'000;
    tracks[i].source = "a.example";
  }
  tracks[0].matching_title = "Rain 0";
  tracks[1].matching_title = "Rain 1.wav";
  const std::string path = folder.write("out.sqlite", test::snapshot_bytes(tracks));
  const auto problems = worst_problems(OpenedSnapshot(path));
  const auto names =
      std::find_if(problems.begin(), problems.end(), [](const Problem& it) { return it.name == "title_is_file_name"; });
  REQUIRE(names != problems.end());
  CHECK(names->count == 2);
  CHECK(names->examples == std::vector<std::string>{"x-1", "x-2"});
}

}  // namespace tonearm::builder
