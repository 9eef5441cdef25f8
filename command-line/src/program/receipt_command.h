#pragma once
// `tonearm verify-receipt FILE --key PUBLIC.pem` (CLI-15) and `tonearm verify-log FILE --key PUBLIC.pem` (CLI-16).

#include <string>

#include "program/setup.h"
#include "settings/values.h"

namespace tonearm::cli {

struct ProofOutcome {
  std::string data;  // for stdout
  bool are_all_valid = false;
};

/// Sends nothing. Throws SetupError if a file cannot be read or the key is unusable.
ProofOutcome run_verify_receipt(const settings::Values& values, const Display& display);
/// Sends nothing. Throws SetupError as above, and UsageError for a --head that is not a hash.
ProofOutcome run_verify_log(const settings::Values& values, const Display& display);

}  // namespace tonearm::cli
