#pragma once
// The builder's data files: catalog-builder/data and catalog-builder/sources.

#include "files/embedded_file.h"

namespace tonearm::builder {

/// Returns all files, by name.
std::span<const native::EmbeddedFile> embedded_files();

/// Returns the text of a file. REQUIRES: the file exists.
inline std::string_view embedded_file(std::string_view name) { return native::embedded_text(embedded_files(), name); }

inline bool has_embedded_file(std::string_view name) {
  return std::ranges::find(embedded_files(), name, &native::EmbeddedFile::name) != embedded_files().end();
}

}  // namespace tonearm::builder
