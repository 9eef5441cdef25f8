// tonearm-ask: answers targets in process: reads one per line from standard input and writes each body as a line to
// standard output. For measuring relevance (README.md); evaluation snapshots are allowed.

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "service_engine.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: tonearm-ask SNAPSHOT STATE < TARGETS\n";
    return 2;
  }
  try {
    tonearm::bench::ServiceSetup setup;
    setup.state = argv[2];
    setup.catalog.allow_evaluation = true;
    const auto service = tonearm::bench::make_service(argv[1], setup);
    std::ios::sync_with_stdio(false);
    for (std::string target; std::getline(std::cin, target);) std::cout << service->answer(target) << '\n';
    return std::cout.flush() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-ask: " << failure.what() << '\n';
    return 1;
  }
}
