#pragma once
// Data files that are compiled into a program (cmake/embed.cmake), so that the program needs no other file.

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tonearm::native {

struct EmbeddedFile {
  std::string_view name;  // relative to the program's folder: "sources/incompetech.toml"
  std::string_view text;
};

/// Returns the text of a file. REQUIRES: the file exists.
inline std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view name) {
  const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
  if (found == files.end()) throw std::logic_error("no such embedded file: " + std::string(name));
  return found->text;
}

}  // namespace tonearm::native
