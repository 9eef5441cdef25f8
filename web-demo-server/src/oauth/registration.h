#pragma once
// What an application says about itself, in a registration (RFC 7591, OAUTH-3) or in a document at its address
// (OAUTH-13). Pure, thread-safe.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oauth/authorization_request.h"

namespace tonearm::web {

struct ClientMetadata {
  std::string name;  // on one line; empty: not given
  std::vector<std::string> redirects;
};

/// Parses the body of a registration. Members that the site does not use are ignored (RFC 7591, 2).
std::variant<ClientMetadata, OauthError> read_registration(std::string_view body);

/// Whether a client_id is the address of such a document: https, with a path and without a query.
bool is_document_id(std::string_view client_id);
/// Parses the document at an address. It must repeat the address as its `client_id`.
std::variant<ClientMetadata, OauthError> read_document(std::string_view client_id, std::string_view body);

}  // namespace tonearm::web
