#pragma once
// Domains, URLs and paths below the media URL, as canonical lines may contain them. Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// Whether it is an absolute http or https URL with a host, and without user, white space, quotes, angle brackets,
/// backslashes and control characters.
bool is_http_url(std::string_view text);

/// Removes white space at both ends and percent-encodes inner spaces.
std::string trimmed_url(std::string_view text);

/// A key that different spellings of one URL share: without scheme, `www.` and slashes at the end, the host in lower
/// case.
std::string comparable_url(std::string_view url);

/// Returns the domain in lower case; nullopt if it is not a domain (no dot, a port, a scheme, white space, a comma).
std::optional<std::string> normalized_domain(std::string_view text);

/// Returns a URL unchanged, and a path appended to the media URL (BUILD-6) with the characters escaped that a URL must
/// not contain; nullopt for anything else.
std::optional<std::string> resolve_media_url(std::string_view media_url, std::string_view text);

}  // namespace tonearm::builder
