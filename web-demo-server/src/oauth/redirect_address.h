#pragma once
// The addresses to which the site returns a person after consent (OAUTH-4). Pure, thread-safe.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm::web {

/// Returns what is wrong with an address that an application registers, or an empty text if it is acceptable: https, or
/// http of a loopback host, without a fragment.
std::string_view redirect_error(std::string_view address);

/// Whether an application that registered one address may use the other: the same characters, except for the port of a
/// loopback host (RFC 8252, 7.3). REQUIRES: `registered` is acceptable.
bool is_same_redirect(std::string_view registered, std::string_view requested);

/// The host and port of an acceptable address, for the person to read.
std::string_view redirect_host(std::string_view address);
/// Whether an acceptable address is one of the person's own computer.
bool is_loopback(std::string_view address);

/// Returns the address with more parameters in its query, percent-encoded. Omits those with an empty value.
std::string with_parameters(std::string_view address,
                            const std::vector<std::pair<std::string_view, std::string_view>>& parameters);

}  // namespace tonearm::web
