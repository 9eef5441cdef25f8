#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "program/append_release.h"
#include "program/command_line.h"
#include "program/demo_catalog.h"
#include "program/fetch_catalog.h"
#include "public_web/curl_web.h"
#include "review/comparison.h"
#include "review/inspection.h"
#include "system/system_ports.h"
#include "tonearm/terminal.h"

namespace {

namespace builder = tonearm::builder;

std::int64_t unix_time_s() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::string check_links(const builder::CheckLinksOptions& options) {
  auto progress = tonearm::native::stderr_progress();
  const auto web = tonearm::public_web::make_curl_web(
      {.user_agent = builder::user_agent(TONEARM_VERSION, options.contact), .allowed = options.allowed_addresses});
  return builder::check_links(options, *web, unix_time_s, progress);
}

/// The exit status if a condition of --fail-on is met (PROGRAM-27).
constexpr int kConditionMet = 3;

int diff(const builder::Request& request) {
  const builder::OpenedSnapshot before(request.old);
  const builder::OpenedSnapshot after(request.snapshot);
  auto comparison = builder::compare(before, after);
  if (!request.approvals.empty()) builder::approve(comparison, request.approvals);
  const auto failed = builder::failed_conditions(comparison, request.conditions);
  std::cout << (request.json ? builder::comparison_json(comparison, failed) : builder::comparison_text(comparison));
  for (const auto& condition : failed) std::cerr << "tonearm-catalog: " << tonearm::terminal::line(condition) << "\n";
  return failed.empty() ? EXIT_SUCCESS : kConditionMet;
}

int run(const builder::Request& request) {
  tonearm::native::OpensslHashing hashing;
  switch (request.command) {
    case builder::Command::demo: {
      auto progress = tonearm::native::stderr_progress();
      const auto demo = builder::build_demo(request.folder, request.build, hashing, progress);
      std::cerr << tonearm::terminal::lines(demo.summary);
      return demo.status;
    }
    case builder::Command::build: {
      auto progress = tonearm::native::stderr_progress();
      builder::Report report;
      try {
        builder::build_catalog(request.build, hashing, progress, report);
      } catch (const std::exception&) {
        std::cerr << tonearm::terminal::lines(report.rejections());
        throw;
      }
      std::cerr << tonearm::terminal::lines(request.build.output + ": version " + report.version + ", " +
                                            report.summary());
      break;
    }
    case builder::Command::inspect:
      std::cout << tonearm::terminal::lines(builder::inspect_snapshot(request.snapshot, request.json));
      break;
    case builder::Command::verify:
      std::cout << tonearm::terminal::lines(builder::verify_file(request.snapshot, request.key, hashing));
      break;
    case builder::Command::check_links:
      std::cout << tonearm::terminal::lines(check_links(request.check_links));
      break;
    case builder::Command::fetch: {
      tonearm::native::SystemRandom random;
      std::cout << tonearm::terminal::lines(builder::fetch_catalog(request.fetch, hashing, random));
      break;
    }
    case builder::Command::diff:
      return diff(request);
    case builder::Command::log:
      std::cout << tonearm::terminal::lines(builder::append_release(request.snapshot, request.log));
      break;
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<const char*> words(argv + 1, argv + argc);
    const auto parsed = builder::parse_command_line(words, tonearm::settings::process_environment);
    if (const auto* end = std::get_if<tonearm::settings::ExitStatus>(&parsed)) return tonearm::settings::print(*end);
    return run(std::get<builder::Request>(parsed));
  } catch (const std::exception& error) {
    std::cerr << "tonearm-catalog: " << tonearm::terminal::line(error.what()) << "\n";
    return EXIT_FAILURE;
  }
}
