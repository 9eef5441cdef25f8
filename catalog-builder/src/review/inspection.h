#pragma once
// `tonearm-catalog inspect` and `verify`: what a snapshot holds, and whether it is intact.

#include <string>

#include "tonearm/ports.h"

namespace tonearm::builder {

/// What the snapshot says about itself, with counts, for a person or as one JSON object. Throws Failure.
std::string inspect_snapshot(const std::string& path, bool as_json);

/// One line that says what was checked. `key`: a file of trusted keys, one of which must have signed; empty: none is
/// asked for. Throws Failure with the first error.
std::string verify_file(const std::string& path, const std::string& key, Hashing& hashing);

}  // namespace tonearm::builder
