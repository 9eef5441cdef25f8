#pragma once
// The server, the API key and the output of a command (CLI-2 to CLI-4).

#include <cstdint>
#include <stdexcept>
#include <string>

#include "output/screen.h"
#include "server/api_client.h"
#include "settings/command_line.h"

namespace tonearm::cli {

/// An unusable setting: exit status 2.
class SetupError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Output : std::uint8_t { table, json };

struct Setup {
  ApiAccess access;
  std::string warning;  // for stderr; empty: none
  Output output = Output::json;
  Screen screen;
};

/// Throws SetupError, settings::UsageError.
Setup read_setup(const settings::Values& values, const settings::Environment& environment);

}  // namespace tonearm::cli
