// Compares searches with and without tracks that were taken down (TAKEDOWN-2): the mean time of all queries, in turns.
//
//     tonearm-takedowns [--tracks N] [--rounds N] [--queries FILE] [--work FOLDER]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <vector>

#include "generator.h"
#include "names.h"
#include "query.h"
#include "service_engine.h"
#include "snapshot_file.h"

namespace tonearm::bench {
namespace {

constexpr std::array<std::uint32_t, 4> kTakeDowns{0, 10, 1'000, 10'000};

/// Returns the ids of tracks that are evenly spread over the catalog.
std::vector<std::string> some_ids(const Catalog& catalog, std::uint32_t count) {
  std::vector<std::uint32_t> positions;
  const std::uint32_t step = std::max(1U, catalog.track_count() / std::max(1U, count));
  for (std::uint32_t i = 0; i < count && i * step < catalog.track_count(); ++i) positions.push_back(i * step);
  std::vector<std::string> ids;
  for (const RenderedTrack& track : catalog.render(positions)) {
    constexpr std::string_view kBefore = R"({"id":")";
    ids.emplace_back(track.json.substr(kBefore.size(), track.json.find('"', kBefore.size()) - kBefore.size()));
  }
  return ids;
}

double microseconds_of(const Catalog& catalog, const SearchQuery& search) {
  const auto began = std::chrono::steady_clock::now();
  const Page page = catalog.search(search);
  const auto tracks = catalog.render(page.tracks);
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - began;
  if (tracks.size() != page.tracks.size()) throw std::runtime_error("a track is missing");
  return spent.count();
}

double median(std::vector<double>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

void run(std::uint32_t tracks, int rounds, const std::string& queries_path, const std::string& work) {
  std::filesystem::create_directories(work);
  const std::string snapshot = work + "/takedowns-" + std::to_string(tracks) + ".sqlite";
  const std::string names = snapshot + ".names.json";
  if (!std::filesystem::exists(snapshot)) write_snapshot_file(Generator(tracks, 1), snapshot, names);
  const auto queries = read_queries(queries_path, read_names(names));
  const auto whole = open_snapshot(snapshot, {});
  std::vector<std::shared_ptr<const Catalog>> catalogs;
  for (const std::uint32_t count : kTakeDowns) {
    const auto began = std::chrono::steady_clock::now();
    catalogs.push_back(count == 0 ? whole : whole->without(some_ids(*whole, count)));
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - began;
    std::printf("%u take-downs are applied in %.1f ms\n", count, spent.count());
  }
  std::map<std::string, std::array<double, kTakeDowns.size()>> sums;  // by class
  for (const Query& query : queries) {
    if (!query.search) continue;
    std::array<std::vector<double>, kTakeDowns.size()> times;
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < catalogs.size(); ++i)
        times[i].push_back(microseconds_of(*catalogs[i], *query.search));
    }
    for (std::size_t i = 0; i < catalogs.size(); ++i) {
      const double time = median(times[i]);
      sums[query.query_class][i] += time;
      sums["all"][i] += time;
    }
  }
  std::puts("| class | 0 | 10 | 1,000 | 10,000 |\n|---|---|---|---|---|");
  for (const auto& [name, sum] : sums) {
    std::printf("| %s |", name.c_str());
    for (const double time : sum) std::printf(" %.3f |", time / sum.front());
    std::puts("");
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  std::uint32_t tracks = 1'000'000;
  int rounds = 15;
  std::string queries = TONEARM_BENCH_QUERIES;
  std::string work = "build/bench-files";
  CLI::App app("Times searches with and without tracks that were taken down, as ratios.");
  app.add_option("--tracks", tracks, "size of the generated catalog")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rounds", rounds, "rounds of each query")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--queries", queries, "the queries")->capture_default_str();
  app.add_option("--work", work, "where the catalog is kept")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    tonearm::bench::run(tracks, rounds, queries, work);
    return EXIT_SUCCESS;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tonearm-takedowns: %s\n", failure.what());
    return EXIT_FAILURE;
  }
}
