#pragma once
// The operating system interface of SQLite on the edge.

#include <string>

#include "tonearm/paged_file.h"

namespace tonearm::wasm {

/// Returns the name by which the VFS "tonearm" opens a file. Valid while the file exists.
std::string vfs_name(const PagedFile& file);

}  // namespace tonearm::wasm
