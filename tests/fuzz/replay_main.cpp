// Replays the corpus and mutations of it, without libFuzzer. Usage:
//   tonearm-fuzz-replay [--mutations N] [--seed N] [TARGET...]
//   tonearm-fuzz-replay --list | --input FILE TARGET
// On a failure it writes the input to a file and prints the command that runs it again.

#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "mutation.h"
#include "target.h"

namespace tonearm::fuzz {
namespace {

namespace fs = std::filesystem;

/// An input that runs longer has found an endless loop, even on a slow machine.
constexpr unsigned kSecondsMax = 60;

/// The input that runs now, for the report of a failure.
struct Current {
  std::string target;
  std::string input;
};
Current& current() {
  static Current running;
  return running;
}

void report_failure() {
  const auto path = (fs::temp_directory_path() / ("tonearm-fuzz-" + current().target)).string();
  std::ofstream(path, std::ios::binary) << current().input;
  std::cerr << "fuzz: " << current().target << " fails: tonearm-fuzz-replay --input " << path << ' ' << current().target
            << std::endl;
}

void report_signal(int signal) {
  std::signal(signal, SIG_DFL);
  std::cerr << "fuzz: " << (signal == SIGALRM ? "an input that takes too long" : "aborted") << std::endl;
  report_failure();
  std::raise(signal);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> corpus_of(const Target& target) {
  auto corpus = target.seeds == nullptr ? std::vector<std::string>() : target.seeds();
  std::vector<fs::path> files;
  const fs::path folder = fs::path(TONEARM_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
  if (fs::exists(folder)) std::copy(fs::directory_iterator(folder), {}, std::back_inserter(files));
  std::sort(files.begin(), files.end());
  for (const auto& file : files) corpus.push_back(read_file(file));
  return corpus;
}

void run(const Target& target, std::string input) {
  current() = {std::string(target.name), std::move(input)};
  ::alarm(kSecondsMax);
  target.run(current().input);
  ::alarm(0);
}

struct Options {
  std::uint64_t mutations = 400;
  std::uint64_t seed = 1;
  std::string input;
  std::vector<const Target*> chosen;
};

void replay(const Target& target, const Options& options) {
  const auto corpus = corpus_of(target);
  if (corpus.empty()) throw std::runtime_error("no corpus for " + std::string(target.name));
  for (const auto& input : corpus) run(target, input);
  Mutator mutator(options.seed, corpus);
  for (std::uint64_t i = 0; i < options.mutations; ++i) run(target, mutator.next());
  std::cout << target.name << ": " << corpus.size() << " inputs, " << options.mutations << " mutations, seed "
            << options.seed << std::endl;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string { return ++i < argc ? argv[i] : ""; };
    if (word == "--mutations") {
      options.mutations = std::stoull(value());
    } else if (word == "--seed") {
      options.seed = std::stoull(value());
    } else if (word == "--input") {
      options.input = value();
    } else if (const Target* target = find_target(word)) {
      options.chosen.push_back(target);
    } else {
      throw std::runtime_error("no target " + word);
    }
  }
  if (options.chosen.empty()) options.chosen.assign(targets().begin(), targets().end());
  return options;
}

int run_all(const Options& options) {
  if (!options.input.empty()) {
    run(*options.chosen.front(), read_file(options.input));
    return 0;
  }
  for (const Target* target : options.chosen) replay(*target, options);
  std::cout << options.chosen.size() << " passed, 0 failed" << std::endl;
  return 0;
}

}  // namespace
}  // namespace tonearm::fuzz

/// Makes allocations that an input asks for fail the run.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=1024:handle_abort=0"; }
/// Debian's libsndfile does not release what it read of a damaged Ogg file.
extern "C" const char* __lsan_default_suppressions() { return "leak:vorbis_info_init\nleak:libsndfile\n"; }

int main(int argc, char** argv) {
  using namespace tonearm::fuzz;
  if (argc == 2 && std::string_view(argv[1]) == "--list") {
    for (const Target* target : targets()) std::cout << target->name << '\n';
    return 0;
  }
  std::signal(SIGABRT, report_signal);
  std::signal(SIGALRM, report_signal);
  __sanitizer_set_death_callback(report_failure);
  try {
    return run_all(parse(argc, argv));
  } catch (const std::exception& failure) {
    std::cerr << "fuzz: " << failure.what() << std::endl;
    report_failure();
    return 1;
  }
}
