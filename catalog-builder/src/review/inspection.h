#pragma once
// `tonearm-catalog inspect` and `verify`: the contents of a snapshot, and whether it is intact.

#include <string>

#include "tonearm/ports.h"

namespace tonearm::builder {

/// Describes a snapshot with counts, as text or as one JSON object. Throws Failure.
std::string inspect_snapshot(const std::string& path, bool as_json);

/// Verifies a snapshot and returns one line. `key`: a file of trusted keys, one of which must have signed it; empty: no
/// signature is required. Throws Failure with the first error.
std::string verify_file(const std::string& path, const std::string& key, Hashing& hashing);

}  // namespace tonearm::builder
