#pragma once
// What `tonearm-catalog` is asked to do: flags, then the environment (TONEARM_...), then a TOML file (C11).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "build.h"

namespace tonearm::builder {

enum class Command : std::uint8_t { build, inspect, verify };

struct Request {
  Command command = Command::build;
  BuildOptions build;
  std::string snapshot;  // of inspect and verify
  bool json = false;
};

/// What to print instead of working, and the exit status: help and version (0), a wrong command line (2).
struct EarlyEnd {
  int status = 0;
  std::string out;
  std::string error;
};

/// The value of an environment variable; injected, so that tests need no process of their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Throws Failure for a configuration file that cannot be read or names what nobody knows.
std::variant<Request, EarlyEnd> parse_command_line(const std::vector<std::string>& arguments,
                                                   const Environment& environment);

}  // namespace tonearm::builder
