#pragma once
// Requests of applications for authorization (RFC 6749, 4.1.1, with RFC 7636, RFC 8707): their parameters, and what is
// wrong with them (OAUTH-5). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

#include "text/form.h"
#include "tonearm/ports.h"

namespace tonearm::web {

/// The one scope: search, and read and change the collections of the account (OAUTH-2).
inline constexpr std::string_view kOauthScope = "account";

/// An error in the terms of OAuth.
struct OauthError {
  std::string_view code;         // "invalid_request"
  std::string_view description;  // for the developer of the application
};

/// The parameters of a query or of a form.
class OauthParameters {
 public:
  /// Returns nothing if an escape or its UTF-8 is malformed, or a parameter is repeated (RFC 6749, 3.1).
  static std::optional<OauthParameters> parse(std::string_view form);

  /// Empty: the parameter is missing.
  const std::string& get(std::string_view name) const;

 private:
  text::FormFields values_;
};

/// Returns what is wrong with a request whose application and redirect address are known. `resource`: the identifier of
/// the one protected resource.
std::optional<OauthError> authorization_error(const OauthParameters& parameters, std::string_view resource);

/// Returns `invalid_target` if the parameters name another resource (RFC 8707).
std::optional<OauthError> resource_error(const OauthParameters& parameters, std::string_view resource);

/// Whether the verifier has the challenge `S256` (RFC 7636, 4.6).
bool is_verifier_of(Hashing& hashing, std::string_view verifier, std::string_view challenge);

}  // namespace tonearm::web
