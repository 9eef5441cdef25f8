// Compares the cost of a filter with many tags that no track has with that of two tags: calls per second of one thread.
//
//     tonearm-tags [--tracks N] [--calls N] [--work FOLDER]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "generator.h"
#include "service_engine.h"
#include "snapshot_file.h"

namespace tonearm::bench {
namespace {

/// About the largest number of tags in a request head.
constexpr std::array<int, 5> kTags{2, 20, 200, 1'000, 2'300};

/// Uses other tags in each call, to defeat caches.
std::string target_of(int tags, std::uint64_t call) {
  std::string target = "/v1/search?genre=";
  for (int i = 0; i < tags; ++i) {
    if (i != 0) target += ',';
    target += 't' + std::to_string((call * 7'919 + static_cast<std::uint64_t>(i)) % 100'000);
  }
  return target;
}

/// Returns the median of several rounds in microseconds.
double time_of(ServiceEngine& service, int tags, std::uint64_t calls) {
  constexpr int kRounds = 5;
  std::array<double, kRounds> times{};
  std::uint64_t number = 0;
  for (double& time : times) {
    const auto began = std::chrono::steady_clock::now();
    for (std::uint64_t call = 0; call < calls; ++call) service.answer(target_of(tags, number++));
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - began;
    time = spent.count() / static_cast<double>(calls);
    service.run_housekeeping();
  }
  std::sort(times.begin(), times.end());
  return times[kRounds / 2];
}

void run(std::uint32_t tracks, std::uint64_t calls, const std::string& work) {
  std::filesystem::create_directories(work);
  const std::string snapshot = work + "/tags-" + std::to_string(tracks) + ".sqlite";
  if (!std::filesystem::exists(snapshot))
    write_snapshot_file(Generator(tracks, 1), snapshot, work + "/tags-names.json");
  const auto service = make_service(snapshot, {work + "/tags-state.sqlite", 0, {}});
  std::puts("| unknown tags | microseconds a call | calls a second |\n|---|---|---|");
  for (const int tags : kTags) {
    const double time = time_of(*service, tags, calls);
    std::printf("| %d | %.1f | %.0f |\n", tags, time, 1e6 / time);
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  std::uint32_t tracks = 100'000;
  std::uint64_t calls = 200;
  std::string work = "build/bench-files";
  CLI::App app("Times searches whose filter names many tags that no track has.");
  app.add_option("--tracks", tracks, "size of the generated catalog")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--calls", calls, "calls in each of five rounds")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--work", work, "where the catalog is kept")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    tonearm::bench::run(tracks, calls, work);
    return EXIT_SUCCESS;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tonearm-tags: %s\n", failure.what());
    return EXIT_FAILURE;
  }
}
