#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "program/command_line.h"
#include "program/demo_catalog.h"
#include "snapshot/inspection.h"
#include "system/system_ports.h"
#include "tonearm/terminal.h"

namespace {

namespace builder = tonearm::builder;

std::int64_t stopwatch_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

builder::Progress::Style style_of_progress() {
  return ::isatty(STDERR_FILENO) == 1 ? builder::Progress::Style::terminal : builder::Progress::Style::lines;
}

void run(const builder::Request& request) {
  tonearm::native::OpensslHashing hashing;
  switch (request.command) {
    case builder::Command::demo: {
      builder::Progress progress(std::cerr, style_of_progress(), stopwatch_ms);
      std::cerr << tonearm::terminal::lines(builder::build_demo(request.folder, request.build, hashing, progress));
      break;
    }
    case builder::Command::build: {
      builder::Progress progress(std::cerr, style_of_progress(), stopwatch_ms);
      const auto report = builder::build_catalog(request.build, hashing, progress);
      std::cerr << tonearm::terminal::lines(request.build.output + ": version " + report.version + ", " +
                                            report.summary());
      break;
    }
    case builder::Command::inspect:
      std::cout << tonearm::terminal::lines(builder::inspect_snapshot(request.snapshot, request.json));
      break;
    case builder::Command::verify:
      std::cout << tonearm::terminal::lines(builder::verify_file(request.snapshot, hashing));
      break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<const char*> words(argv + 1, argv + argc);
    const auto parsed = builder::parse_command_line(words, tonearm::settings::process_environment);
    if (const auto* end = std::get_if<tonearm::settings::ExitStatus>(&parsed)) return tonearm::settings::print(*end);
    run(std::get<builder::Request>(parsed));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "tonearm-catalog: " << tonearm::terminal::line(error.what()) << "\n";
    return EXIT_FAILURE;
  }
}
