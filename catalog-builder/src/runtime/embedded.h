#pragma once
// The builder's data files, compiled in, so that the program needs no other file.

#include <string_view>
#include <vector>

namespace tonearm::builder {

struct EmbeddedFile {
  std::string_view name;  // relative to catalog-builder/: "sources/incompetech.toml"
  std::string_view text;
};

/// All of them, by name.
const std::vector<EmbeddedFile>& embedded_files();
/// REQUIRES: the file exists.
std::string_view embedded_file(std::string_view name);
bool has_embedded_file(std::string_view name);

}  // namespace tonearm::builder
