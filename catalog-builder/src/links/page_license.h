#pragma once
// The Creative Commons licenses that a page names by their address. Pure, thread-safe.

#include <set>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// Their addresses in one form, "https://creativecommons.org/licenses/by/4.0/"; a ported one keeps its country
/// ("https://creativecommons.org/licenses/by/3.0/us/"). Nothing on the page is believed but these addresses.
std::set<std::string> licenses_named(std::string_view page);

}  // namespace tonearm::builder
