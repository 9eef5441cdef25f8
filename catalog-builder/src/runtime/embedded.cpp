#include "runtime/embedded.h"

#include <stdexcept>

namespace tonearm::builder {

bool has_embedded_file(std::string_view name) {
  for (const auto& file : embedded_files()) {
    if (file.name == name) return true;
  }
  return false;
}

std::string_view embedded_file(std::string_view name) {
  for (const auto& file : embedded_files()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("no such embedded file: " + std::string(name));
}

}  // namespace tonearm::builder
