#pragma once
// Reads whole files.

#include <string>

namespace tonearm::native {

/// Returns the content of a file; empty if it is not readable.
std::string file_bytes(const std::string& path);

}  // namespace tonearm::native
