#pragma once
// The endpoints that applications call to connect with accounts (docs/spec/oauth.md): metadata, registration, tokens,
// revocation. Each is 404 unless the site is an authorization server. Safe for concurrent calls. Each throws
// std::runtime_error if the API does not answer, and sql::Failure if the store fails.

#include <string>
#include <string_view>

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
/// Revokes at most `count_max` keys of connections that have ended (OAUTH-14). A failure is only logged, because a
/// later call tries again.
void revoke_ended_keys(Site& site, std::size_t count_max);
/// Revokes a connection's key first, so that the connection remains if the API does not answer; then ends it.
void end_connection(Site& site, const std::string& grant_id, const std::string& key_id);
/// Changes an answer of the site on the path of an endpoint to the form of the endpoint's own answers (OAUTH-11).
void complete_oauth(Response& response);

/// 404: the site is no authorization server.
Response no_oauth();

}  // namespace tonearm::web
