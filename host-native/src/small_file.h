#pragma once
// Small files that an operator writes: secrets and tokens.

#include <string>

namespace tonearm::native {

/// The content of a file of at most 64 KiB, without white space around it. Throws std::runtime_error, with the
/// path, where it cannot be read or is empty.
std::string read_secret(const std::string& path);

}  // namespace tonearm::native
