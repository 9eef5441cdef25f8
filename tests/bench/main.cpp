// tonearm-bench: compares the service with other engines over one generated catalog.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "alone.h"
#include "canonical_lines.h"
#include "fts5_peer.h"
#include "measure.h"
#include "postgresql_peer.h"
#include "report.h"
#include "service_engine.h"
#include "snapshot_file.h"
#include "workspace.h"
#include "xapian_peer.h"

namespace tonearm::bench {
namespace {

struct Peer {
  const char* name;
  int version;  // of what `build` makes
  void (*build)(const std::string& folder, const Feed& feed);
  std::unique_ptr<Engine> (*open)(const std::string& folder);
};
constexpr std::array<Peer, 3> kPeers{{{"fts5", 1, build_fts5, open_fts5},
                                      {"postgresql", 1, build_postgresql, open_postgresql},
                                      {"xapian", 1, build_xapian, open_xapian}}};

struct Options {
  std::uint32_t tracks = 10'000;
  std::uint64_t seed = 1;
  std::vector<std::string> peers{"fts5", "postgresql", "xapian"};
  std::size_t repeat = 5;
  std::string work = "build/bench-files";
  std::string json;
  std::string queries = TONEARM_BENCH_QUERIES;
  bool totals = false;
  bool rebuild = false;
  std::string lines;  // only write these
  std::string alone;  // in the child: the output file
};

/// Reports on stderr what takes long and how long it took.
template <class Work>
void say(const std::string& what, Work work) {
  const auto began = std::chrono::steady_clock::now();
  std::cerr << what << "..." << std::flush;
  work();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  std::cerr << ' ' << static_cast<int>(seconds.count()) << " s\n";
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        generator_(options.tracks, options.seed),
        files_(options.work, options.tracks, options.seed),
        snapshot_(files_.path("snapshot.sqlite")) {}

  int run(const char* program) {
    prepare_snapshot();
    const auto queries = read_queries(options_.queries, read_names(files_.path("names.json")));
    if (!options_.alone.empty()) {
      measure_alone(snapshot_, files_.path("state-alone.sqlite"), queries, options_.alone);
      return EXIT_SUCCESS;
    }
    std::optional<Alone> alone;
    if (!options_.totals) say("opening and asking alone", [&] { alone = run_alone(program); });

    std::vector<std::unique_ptr<Engine>> engines;
    engines.push_back(make_service(snapshot_, {files_.path("state.sqlite"), 0, {}}));
    add_peers(engines);
    engines.push_back(
        make_service(snapshot_, {files_.path("state-cached.sqlite"), ServiceOptions().answer_cache_bytes, {}}));
    Measurement measurement(engines, queries);
    Checks checks;
    say("comparing totals", [&] { checks = measurement.check_totals(std::cout); });
    if (!options_.totals) {
      measurement.time(options_.repeat, std::cerr);
      const Run run{options_.tracks, options_.seed, options_.repeat,        snapshot_,
                    engines,         queries,       measurement.outcomes(), alone};
      write_machine(std::cout, run);
      write_classes(std::cout, run);
      write_goals(std::cout, run);
      write_worst(std::cout, run);
      if (!options_.json.empty()) write_json(options_.json, run);
      std::cout << '\n';
    }
    std::cout << checks.passed << " passed, " << checks.failed << " failed\n";
    return checks.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }

 private:
  void prepare_snapshot() {
    const std::string fingerprint = std::to_string(kSnapshotVersion) + ' ' + fingerprint_of(generator_);
    if (files_.has("snapshot", fingerprint) && !options_.rebuild) return;
    say("building the snapshot", [&] {
      files_.begin("snapshot");
      write_snapshot_file(generator_, snapshot_, files_.path("names.json"));
      files_.finish("snapshot", fingerprint);
    });
  }

  void add_peers(std::vector<std::unique_ptr<Engine>>& engines) {
    const Catalog& catalog = static_cast<const ServiceEngine&>(*engines.front()).catalog();
    const std::string tracks = fingerprint_of(generator_, catalog);
    for (const Peer& peer : kPeers) {
      if (std::find(options_.peers.begin(), options_.peers.end(), peer.name) == options_.peers.end()) continue;
      const std::string fingerprint = std::to_string(peer.version) + ' ' + tracks;
      if (!files_.has(peer.name, fingerprint)) {
        say(std::string("building ") + peer.name, [&] {
          files_.begin(peer.name);
          peer.build(files_.folder(), Feed(generator_, catalog));
          files_.finish(peer.name, fingerprint);
        });
      }
      engines.push_back(peer.open(files_.folder()));
    }
  }

  Alone run_alone(const char* program) const {
    const std::string output = files_.path("alone.json");
    std::filesystem::remove(output);
    return bench::run_alone(
        {program, "--tracks", std::to_string(options_.tracks), "--seed", std::to_string(options_.seed), "--work",
         options_.work, "--queries", options_.queries, "--alone", output},
        output);
  }

  const Options& options_;
  Generator generator_;
  Workspace files_;
  std::string snapshot_;
};

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  tonearm::bench::Options options;
  CLI::App app("Compares the service with other engines over one generated catalog: totals, then times.");
  app.add_option("--tracks", options.tracks, "size of the catalog")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", options.seed, "another one makes other tracks")->capture_default_str();
  app.add_option("--peers", options.peers, "engines to compare with: fts5, postgresql, xapian")
      ->delimiter(',')
      ->check(CLI::IsMember({"fts5", "postgresql", "xapian", ""}))
      ->capture_default_str();
  app.add_option("--repeat", options.repeat, "rounds of timing")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--work", options.work, "folder of built files, which later runs use again")->capture_default_str();
  app.add_option("--json", options.json, "write all figures to this file too");
  app.add_option("--queries", options.queries, "the queries, one JSON object a line")->capture_default_str();
  app.add_flag("--totals", options.totals, "compare totals alone, measure no times");
  app.add_flag("--rebuild", options.rebuild, "build the snapshot even if it seems to be the same");
  app.add_option("--lines", options.lines, "only write the catalog to this file, as canonical lines");
  app.add_option("--alone", options.alone)->group("");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.lines.empty()) {
      tonearm::bench::write_canonical_lines({options.tracks, options.seed}, options.lines);
      return EXIT_SUCCESS;
    }
    return tonearm::bench::Bench(options).run("/proc/self/exe");
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-bench: " << failure.what() << '\n';
    return EXIT_FAILURE;
  }
}
