#pragma once
// Reads small text files, such as policies, mappings and license documents.

#include <string>

namespace tonearm::builder {

/// Returns the content of a file, unpacked if it is compressed. Throws Failure if it is not readable or exceeds 16 MiB.
std::string read_text_file(const std::string& path);

}  // namespace tonearm::builder
