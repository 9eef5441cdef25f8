#pragma once
// Percent-encoding of URLs (RFC 3986). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm::text {

/// Letters, digits and `-._~` (RFC 3986, 2.3).
bool is_unreserved(char c);

/// Appends `%XX` with upper-case digits.
void append_percent_encoded(std::string& out, char c);

/// Encodes every byte that is neither unreserved nor one of `also_kept`.
std::string encode_percent(std::string_view text, std::string_view also_kept = {});

/// Whether there is a `%` without two hex digits after it.
bool has_broken_escape(std::string_view raw);

/// Decodes `%XX`; nullopt if an escape is malformed or the result is not UTF-8.
std::optional<std::string> decode_percent(std::string_view raw);

/// Decodes a component of a query string, where `+` is a space too (QUERY-1).
std::optional<std::string> decode_query_component(std::string_view raw);

}  // namespace tonearm::text
