#pragma once
// The commands of `tonearm-catalog` and their settings (PROGRAM-5).

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "program/build.h"
#include "program/check_links.h"
#include "program/fetch_catalog.h"
#include "review/release_conditions.h"
#include "settings/command_line.h"

namespace tonearm::builder {

enum class Command : std::uint8_t { build, demo, inspect, verify, diff, check_links, log, fetch };

struct Request {
  Command command = Command::build;
  BuildOptions build;  // of demo: only the URLs
  std::string folder;  // of demo
  CheckLinksOptions check_links;
  FetchOptions fetch;
  std::string snapshot;  // of inspect, verify, log and diff (the new one)
  std::string old;       // of diff
  std::string log;       // of log: the file to append to
  std::string key;       // of verify: a file of trusted keys; empty: any valid signature is accepted
  ReleaseConditions conditions;
  std::string approvals;  // of diff: a file; empty: none
  bool json = false;
};

/// `words` follow the name of the program. Throws settings::Failure for an invalid environment variable or settings
/// file, and for an option that this version does not support.
std::variant<Request, settings::ExitStatus> parse_command_line(std::span<const char* const> words,
                                                               const settings::Environment& environment);

}  // namespace tonearm::builder
