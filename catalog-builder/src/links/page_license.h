#pragma once
// Finds the Creative Commons licenses that a page names by URL. Pure, thread-safe.

#include <set>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// Returns the license URLs in canonical form, "https://creativecommons.org/licenses/by/4.0/"; a ported license keeps
/// its country ("https://creativecommons.org/licenses/by/3.0/us/"). Everything else on the page is ignored.
std::set<std::string> licenses_in(std::string_view page);

}  // namespace tonearm::builder
