// tonearm-similar: measures the neighbors that the catalog builder computes.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "intake/intake.h"
#include "judgement.h"
#include "mapping/adapter.h"
#include "ranks.h"
#include "recall.h"
#include "system/system_ports.h"

namespace tonearm::bench {
namespace {

constexpr const char* kData = TONEARM_SOURCE_DIR "/../shared/data/";
constexpr const char* kMappings = TONEARM_SOURCE_DIR "/catalog-builder/sources/";

/// Folders that are read together.
struct Judged {
  const char* name;
  std::vector<std::string> sources;
};

std::vector<Track> read(const Judged& judged) {
  builder::Report report;
  native::OpensslHashing hashing;
  builder::CheckOptions checks;
  checks.allow_share_alike = true;  // more tracks give a better estimate
  builder::Intake intake(checks, {}, report);
  for (const auto& source : judged.sources) {
    const auto mapping = builder::find_mapping(source);
    const auto origin = mapping.supplement ? builder::Origin::supplement : builder::Origin::source;
    builder::read_source(mapping, kData + source, hashing, report,
                         [&](std::uint64_t number, std::variant<builder::Line, builder::Rejection> line) {
                           intake.add(number, std::move(line), origin);
                         });
  }
  return intake.finish().tracks;
}

void judge_all() {
  const std::vector<Judged> all{
      {"incompetech", {"incompetech"}},
      {"freemusi.cc", {"freemusi-cc"}},
      {"FMA", {"fma-metadata"}},
      {"Jamendo with the tags of MTG", {"jamendo-cyanite", "mtg-jamendo"}},
      {"all of them", {"incompetech", "freemusi-cc", "fma-metadata", "jamendo-cyanite", "mtg-jamendo"}}};
  for (const auto& judged : all) {
    const auto missing = std::find_if(judged.sources.begin(), judged.sources.end(), [](const std::string& source) {
      return !std::filesystem::is_directory(kData + source);
    });
    if (missing == judged.sources.end()) {
      judge(judged.name, read(judged), std::cout);
    } else {
      std::cout << "skipped: there is no ../shared/data/" << *missing << '\n';
    }
  }
}

/// Judges all folders with a mapping.
void judge_catalog() {
  Judged all{"all", {}};
  if (std::filesystem::is_directory(kData)) {
    for (const auto& folder : std::filesystem::directory_iterator(kData)) {
      const auto name = folder.path().filename().string();
      if (std::filesystem::exists(std::string(kMappings) + name + ".toml")) all.sources.push_back(name);
    }
  }
  std::sort(all.sources.begin(), all.sources.end());
  if (all.sources.empty()) {
    std::cout << "skipped: there is no ../shared/data\n";
  } else {
    judge_ranks(read(all), "incompetech.com", std::cout);
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  CLI::App app("Measures similar tracks.");
  bool judged = false;
  bool ranks = false;
  tonearm::bench::RecallOptions options;
  app.add_flag("--judge", judged, "whether neighbors share hidden tags, on the real metadata beside the project");
  app.add_flag("--ranks", ranks, "what lists hold by rank, and for filters, in a catalog of all that metadata");
  app.add_option("--tracks", options.tracks, "size of the generated catalog");
  app.add_option("--asked", options.asked, "tracks whose lists are compared with exact ones");
  app.add_option("--looked-at", options.compared_count, "tracks that are looked at for one; 0: as a build does");
  app.add_option("--threads", options.threads, "0: as many as the machine runs at once");
  CLI11_PARSE(app, argc, argv);
  if (judged) {
    tonearm::bench::judge_all();
  } else if (ranks) {
    tonearm::bench::judge_catalog();
  } else {
    tonearm::bench::measure_recall(options, std::cout);
  }
  return EXIT_SUCCESS;
}
