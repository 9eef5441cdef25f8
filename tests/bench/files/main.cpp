// Compares the cost of POST /v1/credits/match for 100 files with hostile names or addresses with that for ordinary ones
// of the same length.
//
//     tonearm-files [--tracks N] [--calls N] [--work FOLDER]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>

#include "generator.h"
#include "service_engine.h"
#include "snapshot_file.h"

namespace tonearm::bench {
namespace {

constexpr std::size_t kFiles = 100;
constexpr std::size_t kRounds = 5;

/// Returns `begin`, then as many repetitions of `part` as fit into `size` bytes before `end`.
std::string repeated(const std::string& begin, const std::string& part, std::size_t size, const std::string& end = {}) {
  std::string text = begin;
  while (text.size() + part.size() + end.size() <= size) text += part;
  return text + end;
}

/// What names or addresses are made of. `#` becomes the number of the file.
struct Kind {
  const char* name;
  const char* begin;
  const char* part;
  const char* end;
};

constexpr Kind kOrdinaryName{"ordinary words", "Ada Example - Take # ", "morning rain on a roof ", ".mp3"};
constexpr std::array<Kind, 16> kHostileNames{
    {{"numbers in brackets", "x", "(1)", ".mp3"},
     {"words in brackets", "x", "[320kbps]", ""},
     {"suffixes", "x", "_copy", ".mp3"},
     {"brackets that do not close", "x", "(", ")"},
     {"dashes", "a", "-", ".mp3"},
     {"dates", "", "2020-01-", ".mp3"},
     {"numbers and dashes", "a", "-1", " .mp3"},
     {"ids", "a.b.c.d.e-#1 a.b.c.d.e-#2 a.b.c.d.e-#3 a.b.c.d.e-#4 ", "rain ", ".mp3"},
     {"separators", "a", " - a", ".mp3"},
     {"underscores", "a", "__b", ".mp3"},
     {"digits", "", "7", ".mp3"},
     {"a name of Freesound", "1__a__", "\u00c4", ".mp3"},
     {"percent escapes", "", "%41", ".mp3"},
     {"short words", "", "a ", ".mp3"},
     {"dots", "a", ".", "mp3"},
     {"ends of ids", "", "a.b_c.d_e.f_g.h-1 ", ""}}};
constexpr Kind kOrdinaryAddress{"ordinary address", "https://example.org/music/", "morning-rain/", "track.mp3"};
constexpr std::array<Kind, 6> kHostileAddresses{{{"parameters", "https://example.org/a.mp3?", "a&", ""},
                                                 {"tracking parameters", "https://example.org/a.mp3?", "utm_a=b&", ""},
                                                 {"escapes", "https://example.org/", "%41", ""},
                                                 {"characters to escape", "https://example.org/", "\u00e9", ""},
                                                 {"segments", "https://freesound.org/", "s/", ""},
                                                 {"numbers of tracks", "https://jamendo.com/?", "trackid=1&", ""}}};

std::string text_of(const Kind& kind, std::size_t size) { return repeated(kind.begin, kind.part, size, kind.end); }

std::string with_number(std::string text, std::size_t number) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at)) {
    text.replace(at, 1, std::to_string(number));
  }
  return text;
}

std::string body_of(const std::string& name, const std::string& address) {
  std::string body = R"({"files":[)";
  for (std::size_t i = 0; i < kFiles; ++i) {
    if (i != 0) body += ',';
    body += R"({"name":")" + with_number(name, i) + '"';
    if (!address.empty()) body += R"(,"url":")" + address + '"';
    body += '}';
  }
  return body + "]}";
}

/// Returns the median of several rounds in milliseconds of a processor, which other programs hardly change.
double time_of(ServiceEngine& service, const std::string& name, const std::string& address, std::uint64_t calls) {
  std::array<double, kRounds> times{};
  const std::string body = body_of(name, address);
  for (double& time : times) {
    const std::clock_t began = std::clock();
    for (std::uint64_t call = 0; call < calls; ++call) service.post("/v1/credits/match", body);
    time = 1'000.0 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC / static_cast<double>(calls);
    service.run_housekeeping();
  }
  std::sort(times.begin(), times.end());
  return times[kRounds / 2];
}

void print_row(const char* kind, std::size_t size, double time, double ordinary) {
  std::printf("| %s | %zu | %.2f | %.2f |\n", kind, size, time, time / ordinary);
}

void run(std::uint32_t tracks, std::uint64_t calls, const std::string& work) {
  std::filesystem::create_directories(work);
  const std::string snapshot = work + "/files-" + std::to_string(tracks) + ".sqlite";
  if (!std::filesystem::exists(snapshot))
    write_snapshot_file(Generator(tracks, 1), snapshot, work + "/files-names.json");
  const auto service = make_service(snapshot, {work + "/files-state.sqlite", 0, {}});
  std::puts("| 100 files with | bytes | milliseconds a request | ratio |\n|---|---|---|---|");
  for (const std::size_t size : {std::size_t{200}, std::size_t{1'000}}) {
    const double ordinary = time_of(*service, text_of(kOrdinaryName, size), {}, calls);
    print_row(kOrdinaryName.name, size, ordinary, ordinary);
    for (const Kind& kind : kHostileNames) {
      print_row(kind.name, size, time_of(*service, text_of(kind, size), {}, calls), ordinary);
    }
  }
  constexpr std::size_t kAddressSize = 2'000;
  const double ordinary = time_of(*service, "a.mp3", text_of(kOrdinaryAddress, kAddressSize), calls);
  print_row(kOrdinaryAddress.name, kAddressSize, ordinary, ordinary);
  for (const Kind& kind : kHostileAddresses) {
    print_row(kind.name, kAddressSize, time_of(*service, "a.mp3", text_of(kind, kAddressSize), calls), ordinary);
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  std::uint32_t tracks = 20'000;
  std::uint64_t calls = 20;
  std::string work = "build/bench-files";
  CLI::App app("Times the matching of files whose names and addresses are hostile.");
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
    std::fprintf(stderr, "tonearm-files: %s\n", failure.what());
    return EXIT_FAILURE;
  }
}
