// tonearm-ask: answers targets in process: reads one per line from standard input and writes each body as a line to
// standard output. Without a state file it writes the id of each track instead, by position, to find the track of a row
// of the snapshot's tables. For measuring relevance (README.md); evaluation snapshots are allowed.

#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "service_engine.h"

namespace tonearm::bench {
namespace {

Catalog::Options any_snapshot() {
  Catalog::Options options;
  options.allow_evaluation = true;
  return options;
}

void answer_targets(const char* snapshot, const char* state) {
  ServiceSetup setup;
  setup.state = state;
  setup.catalog = any_snapshot();
  const auto service = make_service(snapshot, setup);
  for (std::string target; std::getline(std::cin, target);) std::cout << service->answer(target) << '\n';
}

void write_ids(const char* snapshot) {
  const auto catalog = open_snapshot(snapshot, any_snapshot());
  for (std::uint32_t position = 0; position < catalog->track_count(); ++position) {
    const auto json = catalog->render(std::array{position}).front().json;
    std::cout << boost::json::parse(json).at("id").as_string().c_str() << '\n';
  }
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: tonearm-ask SNAPSHOT [STATE < TARGETS]\n";
    return 2;
  }
  try {
    std::ios::sync_with_stdio(false);
    if (argc == 3) {
      tonearm::bench::answer_targets(argv[1], argv[2]);
    } else {
      tonearm::bench::write_ids(argv[1]);
    }
    return std::cout.flush() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-ask: " << failure.what() << '\n';
    return 1;
  }
}
