#pragma once
// The patterns of paths in license documents. Pure; time is bounded by the product of both lengths.

#include <string_view>

namespace tonearm::native {

/// REUSE 3.3: `*` is anything without a slash, `**` anything, a backslash takes the next character as it is.
bool fits_reuse(std::string_view pattern, std::string_view path);
/// Debian's copyright format 1.0: `*` is anything, `?` any one character, a backslash takes the next one as it is.
bool fits_debian(std::string_view pattern, std::string_view path);

}  // namespace tonearm::native
