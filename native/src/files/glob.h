#pragma once
// Path patterns of license documents. Pure; the time is bounded by the product of both lengths.

#include <string_view>

namespace tonearm::native {

/// REUSE 3.3: `*` matches anything without a slash, `**` matches anything, and a backslash escapes the next character.
bool matches_reuse(std::string_view pattern, std::string_view path);
/// Debian's copyright format 1.0: `*` matches anything, `?` matches one character, and a backslash escapes the next
/// one.
bool matches_debian(std::string_view pattern, std::string_view path);

}  // namespace tonearm::native
