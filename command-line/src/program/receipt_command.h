#pragma once
// `tonearm verify-receipt FILE --key PUBLIC.pem` (CLI-15).

#include <string>

#include "program/setup.h"
#include "settings/values.h"

namespace tonearm::cli {

struct ReceiptOutcome {
  std::string data;  // for stdout
  bool are_all_valid = false;
};

/// Sends nothing. Throws SetupError if a file cannot be read or the key is unusable.
ReceiptOutcome run_verify_receipt(const settings::Values& values, const Display& display);

}  // namespace tonearm::cli
