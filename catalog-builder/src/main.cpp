#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "command_line.h"
#include "inspection.h"
#include "system_ports.h"

namespace {

namespace builder = tonearm::builder;

std::optional<std::string> from_process(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::int64_t stopwatch_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void run(const builder::Request& request) {
  tonearm::native::OpensslHashing hashing;
  switch (request.command) {
    case builder::Command::build: {
      const auto style =
          ::isatty(STDERR_FILENO) == 1 ? builder::Progress::Style::terminal : builder::Progress::Style::lines;
      builder::Progress progress(std::cerr, style, stopwatch_ms);
      const auto report = builder::build_catalog(request.build, hashing, progress);
      std::cerr << request.build.output << ": version " << report.version << ", " << report.summary();
      break;
    }
    case builder::Command::inspect:
      std::cout << builder::inspect_snapshot(request.snapshot, request.json);
      break;
    case builder::Command::verify:
      std::cout << builder::verify_file(request.snapshot, hashing);
      break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto parsed = builder::parse_command_line({argv + 1, argv + argc}, from_process);
    if (const auto* end = std::get_if<builder::EarlyEnd>(&parsed)) {
      std::cout << end->out;
      std::cerr << end->error;
      return end->status;
    }
    run(std::get<builder::Request>(parsed));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "tonearm-catalog: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
}
