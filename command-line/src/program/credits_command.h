#pragma once
// `tonearm credits PATH` (CLI-8 to CLI-13, CLI-25 to CLI-29).

#include <string>
#include <vector>

#include "program/setup.h"
#include "settings/values.h"

namespace tonearm::cli {

struct CreditsOutcome {
  std::string data;   // for stdout
  std::string notes;  // for stderr
  bool is_clean = false;
  std::vector<std::string> track_ids{};  // of the credits
};

/// Shows progress on stderr if that is a terminal. Throws FolderError, ServerError.
CreditsOutcome run_credits(const settings::Values& values, const Setup& setup, ApiClient& client);

/// Writes the receipts of these tracks into a file, one on each line, all or none (CLI-27). Throws ServerError,
/// Failure.
void write_receipts(const std::string& path, const std::vector<std::string>& track_ids, ApiClient& client);

}  // namespace tonearm::cli
