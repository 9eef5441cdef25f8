#pragma once
// The grammar of HTTP field values and targets (RFC 9110): tokens, lists, weights, entity tags, paths. Pure,
// thread-safe. Results point into the parameters.

#include <optional>
#include <string_view>

namespace tonearm::http_fields {

/// Match tchar, and token: one or more tchar (RFC 9110, 5.6.2).
bool is_token_char(char c);
bool is_token(std::string_view text);

/// Removes spaces and tabs at both ends (OWS, 5.6.3).
std::string_view trimmed(std::string_view text);

/// Removes the first element from `list`, up to `separator` (`,` between elements, 5.6.1; `;` before
/// parameters, 5.6.6), and returns it trimmed. Ignores quoting. Returns empty elements too.
std::string_view next_element(std::string_view& list, char separator);

/// Returns whether a comma-separated list contains a token, ignoring case.
bool has_token(std::string_view list, std::string_view token);

/// Returns the value of a preference in a list like Prefer, without quotes around it; empty if it has no value. Ignores
/// the case of its name. The first occurrence counts (RFC 7240, 2).
std::optional<std::string_view> preference(std::string_view list, std::string_view name);

/// Returns a weight from 0 to 1 in thousandths (qvalue, 12.4.2), or nothing if it is malformed.
std::optional<int> weight(std::string_view qvalue);

/// Returns whether a list like If-None-Match contains `tag`, quotes included, by weak comparison (8.8.3.2, 13.1.2). `*`
/// matches every tag. Ignores everything after the first malformed element.
bool matches_entity_tag(std::string_view list, std::string_view tag);

/// Returns the path of a target in origin form (7.1).
inline std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace tonearm::http_fields
