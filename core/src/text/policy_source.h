#pragma once
// Sources of a Content-Security-Policy for the addresses of a catalog, which are third-party data (WEB-14, MCP-22).
// Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::text {

/// Returns the origin of an http or https URL in lower case: "https://files.example:8443". Returns nullopt if the host
/// has characters other than letters, digits, `-`, `.` and `_`: they could end the source, the directive or the policy.
std::optional<std::string> policy_source(std::string_view url);

/// Returns the source and those of its host's subdomains, without `www.` and the port, because hosts redirect to
/// mirrors of their own, such as ia800.us.archive.org. An IP address has no subdomains. REQUIRES: `source` is a
/// policy_source.
std::vector<std::string> with_subdomains(const std::string& source);

}  // namespace tonearm::text
