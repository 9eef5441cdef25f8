// tonearm-similar: measures the neighbors that the catalog builder computes.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "effects.h"
#include "judgement.h"
#include "ranks.h"
#include "real_tracks.h"
#include "recall.h"

namespace tonearm::bench {
namespace {

/// Folders that are read together.
struct Judged {
  const char* name;
  std::vector<std::string> sources;
};

void judge_all() {
  const std::vector<Judged> all{
      {"incompetech", {"incompetech"}},
      {"freemusi.cc", {"freemusi-cc"}},
      {"FMA", {"fma-metadata"}},
      {"Jamendo with the tags of MTG", {"jamendo-cyanite", "mtg-jamendo"}},
      {"all of them", {"incompetech", "freemusi-cc", "fma-metadata", "jamendo-cyanite", "mtg-jamendo"}}};
  for (const auto& judged : all) {
    const auto missing = std::find_if_not(judged.sources.begin(), judged.sources.end(), has_data);
    if (missing == judged.sources.end()) {
      judge(judged.name, read_tracks(judged.sources), std::cout);
    } else {
      std::cout << "skipped: there is no ../shared/data/" << *missing << '\n';
    }
  }
}

/// Judges all folders with a mapping.
void judge_catalog() {
  const auto sources = all_sources();
  if (sources.empty()) {
    std::cout << "skipped: there is no ../shared/data\n";
  } else {
    judge_ranks(read_tracks(sources), "incompetech.com", std::cout);
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  CLI::App app("Measures similar tracks.");
  bool judged = false;
  bool ranks = false;
  std::string effects;
  std::string shown;
  tonearm::bench::RecallOptions options;
  app.add_flag("--judge", judged, "whether neighbors share hidden tags, on the real metadata beside the project");
  app.add_flag("--ranks", ranks, "what lists hold by rank, and for filters, in a catalog of all that metadata");
  app.add_option("--effects", effects, "whether effects are near effects that people find alike: a folder of tables");
  app.add_option("--titles", shown, "with --effects: a file of ids whose neighbors are printed");
  app.add_option("--tracks", options.tracks, "size of the generated catalog");
  app.add_option("--asked", options.asked,
                 "tracks whose lists are compared with exact ones; 0: no list is kept, to measure memory");
  app.add_option("--looked-at", options.compared_count, "tracks that are looked at for one; 0: as a build does");
  app.add_option("--threads", options.threads, "0: as many as the machine runs at once");
  CLI11_PARSE(app, argc, argv);
  if (judged) {
    tonearm::bench::judge_all();
  } else if (ranks) {
    tonearm::bench::judge_catalog();
  } else if (!effects.empty()) {
    tonearm::bench::judge_effects(effects, shown, std::cout);
  } else {
    tonearm::bench::measure_recall(options, std::cout);
  }
  return EXIT_SUCCESS;
}
