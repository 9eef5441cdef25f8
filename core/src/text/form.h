#pragma once
// Reads forms and query strings (application/x-www-form-urlencoded). Pure, thread-safe.

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm::text {

/// Values by name.
using FormFields = std::map<std::string, std::string, std::less<>>;

/// Empty pairs are skipped; a name without `=` has an empty value. Returns nothing if an escape or its UTF-8 is
/// malformed, or a name is repeated.
std::optional<FormFields> parse_form(std::string_view form);

}  // namespace tonearm::text
