#pragma once
// Domains, http(s) URLs and paths under the media address, as canonical lines may hold them. Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm::builder {

/// An absolute http or https URL with a host and no user, white space, quote, angle bracket, backslash or control.
bool is_http_url(std::string_view text);

/// Without white space at the ends; that inside percent-encoded.
std::string tidy_address(std::string_view text);

/// What two spellings of one address share: no scheme, no "www.", the host in lower case, no slash at the end.
std::string same_address(std::string_view url);

/// The domain in lower case; nothing for what is no domain (no dot, a port, a scheme, white space, a comma).
std::optional<std::string> lower_domain(std::string_view text);

/// A URL as it is, or the media address followed by a path (BUILD-6); nothing for anything else. Characters that a URL
/// must not hold are percent-encoded.
std::optional<std::string> media_address(std::string_view media_url, std::string_view text);

/// `text` as one segment of a path: all but RFC 3986's unreserved characters percent-encoded.
std::string encode_segment(std::string_view text);
/// The same for several segments: slashes stay.
std::string encode_path(std::string_view text);

}  // namespace tonearm::builder
