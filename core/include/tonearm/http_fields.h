#pragma once
// The grammar of HTTP field values and targets (RFC 9110): tokens, lists, weights and entity tags, paths. Pure,
// thread-safe; what is returned points into what was given.

#include <optional>
#include <string_view>

namespace tonearm::http_fields {

/// tchar, and token: one tchar or more (RFC 9110, 5.6.2).
bool is_token_char(char c);
bool is_token(std::string_view text);

/// Without spaces and tabs at both ends (OWS, 5.6.3).
std::string_view trimmed(std::string_view text);

/// Takes the first element off `list`, up to `separator` (`,` between elements, 5.6.1; `;` before parameters, 5.6.6),
/// and returns it trimmed. Quoted strings are not read. An empty element is returned as such.
std::string_view next_element(std::string_view& list, char separator);

/// Whether a list separated by commas holds that token, in any case.
bool has_token(std::string_view list, std::string_view token);

/// What a list as in Prefer says of a preference, in any case of its name, without quotes around it; empty where it is
/// named without a value. The first mention counts (RFC 7240, 2).
std::optional<std::string_view> preference(std::string_view list, std::string_view name);

/// A weight from 0 to 1 in thousandths (qvalue, 12.4.2), or nothing where it is malformed.
std::optional<int> weight(std::string_view qvalue);

/// Whether a list as in If-None-Match names `tag`, quotes included, by weak comparison (8.8.3.2, 13.1.2); `*` names
/// every tag. Nothing counts that stands after the first malformed element.
bool names_entity_tag(std::string_view list, std::string_view tag);

/// What stands before the query of a target in origin form (7.1).
inline std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

}  // namespace tonearm::http_fields
