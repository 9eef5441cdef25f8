#pragma once
// The endpoints that applications call to connect with accounts (docs/spec/oauth.md): metadata, registration, tokens,
// revocation. Each is 404 unless the site is an authorization server. Safe for concurrent calls. Each throws
// std::runtime_error if the API does not answer, and sql::Failure if the store fails.

#include <string>
#include <string_view>
#include <vector>

#include "oauth/authorization_request.h"
#include "routes/site_routes.h"

namespace tonearm::web {

/// Whether applications call the path, so that failures are answered with JSON.
bool is_oauth_endpoint(std::string_view path);

/// `/.well-known/oauth-authorization-server`: the metadata (RFC 8414).
Response get_oauth_metadata(Site& site, const SiteCall& call);
/// `/oauth/register`: dynamic registration (RFC 7591).
Response register_client(Site& site, const SiteCall& call);
/// `/oauth/token`: exchanges a code or a refresh token.
Response issue_tokens(Site& site, const SiteCall& call);
/// `/oauth/revoke`: ends the connection of a token (RFC 7009).
Response revoke_token(Site& site, const SiteCall& call);

/// The hash under which a code or a token is stored.
std::string oauth_hash(Site& site, std::string_view token);
/// Revokes session keys. A failure is only logged, because a session key soon expires.
void revoke_session_keys(Site& site, const std::vector<std::string>& key_ids);

/// 404: the site is no authorization server.
Response no_oauth();

}  // namespace tonearm::web
