#pragma once
// The data files of the program: demo-composer/data.

#include "files/embedded_file.h"

namespace tonearm::demo {

/// Returns all files, by name.
std::span<const native::EmbeddedFile> embedded_files();

/// Returns the text of a file. REQUIRES: the file exists.
inline std::string_view embedded_file(std::string_view name) { return native::embedded_text(embedded_files(), name); }

}  // namespace tonearm::demo
