#pragma once
// Reads http and https URLs, and normalizes them for comparison (CREDIT-21). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::text {

/// An http or https URL in its parts. Each part is as written and refers to the text that was parsed. Characters are
/// not checked, because catalogs contain raw spaces, non-ASCII letters and stray `%`.
struct WebAddress {
  bool is_https = false;
  std::string_view origin;     // scheme and authority
  std::string_view authority;  // user, host and port; never empty
  std::string_view host;       // an IPv6 address has its brackets; may be empty
  std::string_view port;       // with its `:`, or empty
  std::string_view path;       // begins with `/`, or is empty
  std::string_view query;      // with its `?`, or empty
};
/// Returns nullopt unless the text begins with `http://` or `https://`, in any case, and an authority.
std::optional<WebAddress> parse_web_address(std::string_view text);

/// Whether it parses, and its authority begins with a letter, a digit, `[` or a non-ASCII character.
bool is_web_address(std::string_view text);

/// A URL without scheme and fragment: the host in lower case without `www.` and a default port, the path without
/// slashes at its end, the query without tracking parameters, and escapes in one form.
struct NormalizedUrl {
  std::string host;
  std::string path;   // begins with `/`, or is empty
  std::string query;  // with its `?`, or empty

  std::string joined() const { return host + path + query; }
};
/// Returns nullopt unless is_web_address(text).
std::optional<NormalizedUrl> normalize_url(std::string_view text);
/// Returns the joined parts; empty unless is_web_address(text).
std::string normalized_url(std::string_view text);

/// Whether a host is the domain or a subdomain of it.
bool is_in_domain(std::string_view host, std::string_view domain);

/// Splits a path at its slashes, without empty segments.
std::vector<std::string_view> path_segments(std::string_view path);

}  // namespace tonearm::text
