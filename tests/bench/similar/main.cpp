// tonearm-similar: measures the neighbors that the catalog builder computes.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "adapter.h"
#include "intake.h"
#include "judgement.h"
#include "recall.h"
#include "system_ports.h"

namespace tonearm::bench {
namespace {

constexpr const char* kData = TONEARM_SOURCE_DIR "/../shared/data/";

std::vector<Track> read(const std::string& source) {
  builder::Report report;
  native::OpensslHashing hashing;
  builder::Intake intake({}, {}, report);
  builder::read_source(builder::find_mapping(source), kData + source, hashing, report,
                       [&](std::uint64_t number, std::variant<builder::Line, builder::Fault> line) {
                         intake.take(number, std::move(line));
                       });
  return intake.finish().tracks;
}

void judge_all() {
  std::vector<Track> together;
  for (const std::string source : {"incompetech", "freemusi-cc"}) {
    if (!std::filesystem::is_directory(kData + source)) {
      std::cout << "skipped: there is no ../shared/data/" << source << '\n';
      continue;
    }
    const auto tracks = read(source);
    judge(source, tracks, std::cout);
    together.insert(together.end(), tracks.begin(), tracks.end());
  }
  if (!together.empty()) judge("both together", together, std::cout);
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  CLI::App app("Measures similar tracks.");
  bool judged = false;
  tonearm::bench::RecallOptions options;
  app.add_flag("--judge", judged, "whether neighbors share hidden tags, on the real metadata beside the project");
  app.add_option("--tracks", options.tracks, "size of the generated catalog");
  app.add_option("--asked", options.asked, "tracks whose lists are compared with exact ones");
  app.add_option("--looked-at", options.looked_at, "tracks that are looked at for one; 0: as a build does");
  app.add_option("--threads", options.threads, "0: as many as the machine runs at once");
  CLI11_PARSE(app, argc, argv);
  if (judged) {
    tonearm::bench::judge_all();
  } else {
    tonearm::bench::measure_recall(options, std::cout);
  }
  return EXIT_SUCCESS;
}
