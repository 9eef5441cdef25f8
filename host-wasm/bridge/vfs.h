#pragma once
// SQLite's operating system on the edge.

#include <string>

#include "tonearm/paged_file.h"

namespace tonearm::wasm {

/// By which the VFS "tonearm" knows a file while it lives.
std::string vfs_name(const PagedFile& file);

}  // namespace tonearm::wasm
