#pragma once
// `tonearm login` and `tonearm logout` (CLI-21 to CLI-24).

#include <string>

#include "settings/command_line.h"

namespace tonearm::cli {

struct LoginOutcome {
  std::string data;   // for stdout
  std::string notes;  // for stderr
};

/// Prints the page's address on stderr, waits for the person's decision and stores the tokens. Throws SetupError,
/// settings::UsageError, ServerError, Failure; then nothing was stored.
LoginOutcome run_login(const settings::Values& values, const settings::Environment& environment);

/// Deletes the tokens and ends them at the server; a server that does not answer is a note. Throws SetupError if there
/// is no login, settings::UsageError, Failure.
LoginOutcome run_logout(const settings::Values& values, const settings::Environment& environment);

}  // namespace tonearm::cli
