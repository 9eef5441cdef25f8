#pragma once
// Percent-encoding of URLs (RFC 3986). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

namespace tonearm::text {

/// Decodes `%XX`; nothing where an escape is broken or the outcome is not UTF-8.
std::optional<std::string> decode_percent(std::string_view raw);

/// The same for a component of a query string, where `+` is a space too (C2.1).
std::optional<std::string> decode_query_component(std::string_view raw);

}  // namespace tonearm::text
