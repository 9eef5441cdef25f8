#pragma once
// `tonearm-catalog inspect` and `verify`: what a snapshot holds, and whether it is whole.

#include <string>

#include "tonearm/ports.h"

namespace tonearm::builder {

/// What the snapshot says of itself, with counts, for a person or as one JSON object. Throws Failure.
std::string inspect_snapshot(const std::string& path, bool as_json);

/// One line that says what was found whole. Throws Failure with the first fault.
std::string verify_file(const std::string& path, Hashing& hashing);

}  // namespace tonearm::builder
