#pragma once
// `tonearm credits PATH` (CLI-8 to CLI-13).

#include "program/setup.h"
#include "settings/values.h"

namespace tonearm::cli {

struct CreditsOutcome {
  std::string data;   // for stdout
  std::string notes;  // for stderr
  bool is_clean = false;
};

/// Shows progress on stderr if that is a terminal. Throws FolderError, ServerError.
CreditsOutcome run_credits(const settings::Values& values, const Setup& setup, ApiClient& client);

}  // namespace tonearm::cli
