#pragma once
// Names of files.

#include <string>
#include <string_view>

#include "tonearm/ascii.h"

namespace tonearm::native {

/// Returns the extension of a name in lower case, without the dot.
inline std::string extension_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : ascii::to_lower(name.substr(dot + 1));
}

}  // namespace tonearm::native
