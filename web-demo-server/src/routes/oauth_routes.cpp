#include "routes/oauth_routes.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "json/writer.h"
#include "oauth/authorization_request.h"
#include "oauth/registration.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kAccessS = 3'600;
constexpr std::size_t kKeysPerRequest = 4;
constexpr std::int64_t kMsPerSecond = 1'000;
constexpr std::int64_t kRefreshMs = 30LL * 86'400 * kMsPerSecond;
constexpr std::string_view kFormType = "application/x-www-form-urlencoded";

/// The endpoints accept no cookie, so that pages of any site may call them (OAUTH-11).
Response for_any_origin(Response response) {
  response.headers.push_back({"Access-Control-Allow-Origin", "*"});
  return response;
}

Response preflight_answer() {
  return for_any_origin({204,
                         {{"Access-Control-Allow-Methods", "GET, POST"},
                          {"Access-Control-Allow-Headers", "Content-Type, MCP-Protocol-Version"},
                          {"Access-Control-Max-Age", "86400"},
                          {"Cache-Control", "no-store"}},
                         ""});
}

/// RFC 6749, 5.2
std::string error_body(const OauthError& error) {
  json::Writer out;
  out.begin_object();
  out.string("error", error.code);
  out.string("error_description", error.description);
  out.end_object();
  return out.take();
}

Response oauth_error(int status, const OauthError& error) {
  return for_any_origin(json_answer(status, error_body(error)));
}

Response malformed_request(std::string_view description) { return oauth_error(400, {"invalid_request", description}); }

Response invalid_grant(std::string_view description) { return oauth_error(400, {"invalid_grant", description}); }

/// Returns the answer to a request that an endpoint does not process: a preflight, or one to a site without OAuth.
std::optional<Response> answer_early(const Site& site, const SiteCall& call) {
  if (site.oauth.issuer.empty()) return no_oauth();
  if (call.context.has_method("OPTIONS")) return preflight_answer();
  return std::nullopt;
}

void write_list(json::Writer& out, std::string_view name, const std::vector<std::string_view>& values) {
  out.key(name);
  out.begin_array();
  for (const auto value : values) out.string(value);
  out.end_array();
}

/// Parses a form. Nothing: it is malformed, or of another type.
std::optional<OauthParameters> read_form(const Request& request) {
  const auto* const type = find_header(request.head.headers, "Content-Type");
  const auto media_type = type == nullptr ? kFormType : std::string_view(*type).substr(0, type->find(';'));
  if (!ascii::equals_ignoring_case(http_fields::trimmed(media_type), kFormType)) return std::nullopt;
  return OauthParameters::parse(request.body);
}

Response malformed_form() {
  return malformed_request("the body must be application/x-www-form-urlencoded, with each parameter once");
}

/// Ends the grant of a token that was used before, because somebody else may have stolen it (OAUTH-7, OAUTH-8).
Response refuse_replay(Site& site, const FoundToken& token) {
  site.oauth.store.end_grant(token.grant.id);
  revoke_ended_keys(site, kKeysPerRequest);
  return invalid_grant("the code or token was used before, so the connection has ended");
}

/// OAUTH-7
std::optional<Response> refuse_code(Site& site, const OauthParameters& form, const OauthGrant& grant) {
  if (form.get("redirect_uri") != grant.redirect) {
    return invalid_grant("redirect_uri differs from that of the authorization request");
  }
  if (is_verifier_of(site.hashing, form.get("code_verifier"), grant.challenge)) return std::nullopt;
  return invalid_grant("code_verifier does not have the code_challenge");
}

struct TokenPair {
  std::string access;
  std::string refresh;
};

Response token_answer(const TokenPair& tokens) {
  json::Writer out;
  out.begin_object();
  out.string("access_token", tokens.access);
  out.string("token_type", "Bearer");
  out.integer("expires_in", kAccessS);
  out.string("refresh_token", tokens.refresh);
  out.string("scope", kOauthScope);
  out.end_object();
  auto response = for_any_origin(json_answer(200, out.take()));
  response.headers.push_back({"Pragma", "no-cache"});
  return response;
}

/// Creates the access token first, so that a code or refresh token stays valid if the API does not answer.
Response replace_token(Site& site, const FoundToken& token, const std::string& hash) {
  Accounts accounts(site.backend);
  const auto key = accounts.create_session_key(token.grant.account, kAccessS);
  if (!key) {
    site.oauth.store.end_grant(token.grant.id);
    return invalid_grant("the account does not exist any more");
  }
  const auto now_ms = site.clock.now_ms();
  const TokenPair tokens{key->key, site.sessions.new_token()};
  const bool is_exchanged =
      site.oauth.store.exchange(hash,
                                {oauth_hash(site, tokens.refresh), now_ms + kRefreshMs, oauth_hash(site, tokens.access),
                                 now_ms + kAccessS * kMsPerSecond, key->key_id},
                                now_ms);
  revoke_ended_keys(site, kKeysPerRequest);
  if (is_exchanged) return token_answer(tokens);
  // Another request has just used the token, or ended the grant.
  const auto now = site.oauth.store.find_token(hash, now_ms);
  const bool is_replay = now && now->state == FoundToken::State::used;
  return is_replay ? refuse_replay(site, *now) : invalid_grant("the connection has ended");
}

}  // namespace

bool is_oauth_endpoint(std::string_view path) {
  return path == "/.well-known/oauth-authorization-server" ||
         (path.starts_with("/oauth/") && path != "/oauth/authorize");
}

Response no_oauth() { return error_answer(404, "not_found", "This site is not an authorization server."); }

std::string oauth_hash(Site& site, std::string_view token) {
  return ascii::to_hex(site.hashing.sha256("oauth " + std::string(token)));
}

void revoke_ended_keys(Site& site, std::size_t count_max) {
  Accounts accounts(site.backend);
  std::string failed;
  for (const auto& key_id : site.oauth.store.ended_keys(count_max)) {
    try {
      accounts.revoke(key_id);
      site.oauth.store.remove_ended_key(key_id);
    } catch (const std::runtime_error& failure) {  // does not delay the other keys
      failed = failure.what();
    }
  }
  if (!failed.empty()) site.log.warning("the revocation of a connection's key will be retried: " + failed);
}

void end_connection(Site& site, const std::string& grant_id, const std::string& key_id) {
  if (!key_id.empty()) Accounts(site.backend).revoke(key_id);
  site.oauth.store.end_grant(grant_id);
  revoke_ended_keys(site, kKeysPerRequest);
}

void complete_oauth(Response& response) {
  if (find_header(response.headers, "Access-Control-Allow-Origin") != nullptr) return;
  if (const auto error = read_strings(response.body, {"error", "message"})) {
    const bool is_temporary = response.status == 429 || response.status == 503;
    const auto message = string_of(*error, "message");
    response.body = error_body({is_temporary ? "temporarily_unavailable" : "invalid_request", message});
  }
  response = for_any_origin(std::move(response));
}

Response get_oauth_metadata(Site& site, const SiteCall& call) {
  if (auto early = answer_early(site, call)) return *std::move(early);
  const auto& issuer = site.oauth.issuer;
  json::Writer out;
  out.begin_object();
  out.string("issuer", issuer);
  out.string("authorization_endpoint", issuer + "/oauth/authorize");
  out.string("token_endpoint", issuer + "/oauth/token");
  out.string("registration_endpoint", issuer + "/oauth/register");
  out.string("revocation_endpoint", issuer + "/oauth/revoke");
  write_list(out, "scopes_supported", {kOauthScope});
  write_list(out, "response_types_supported", {"code"});
  write_list(out, "response_modes_supported", {"query"});
  write_list(out, "grant_types_supported", {"authorization_code", "refresh_token"});
  write_list(out, "token_endpoint_auth_methods_supported", {"none"});
  write_list(out, "revocation_endpoint_auth_methods_supported", {"none"});
  write_list(out, "code_challenge_methods_supported", {"S256"});
  out.boolean("authorization_response_iss_parameter_supported", true);
  out.boolean("client_id_metadata_document_supported", true);
  write_list(out, "ui_locales_supported", {"en", "de"});
  write_list(out, "protected_resources", {site.oauth.resource});
  out.end_object();
  return for_any_origin(json_answer(200, out.take()));
}

Response register_client(Site& site, const SiteCall& call) {
  if (auto early = answer_early(site, call)) return *std::move(early);
  auto read = read_registration(call.context.request.body);
  if (const auto* error = std::get_if<OauthError>(&read)) return oauth_error(400, *error);
  auto& metadata = std::get<ClientMetadata>(read);
  const auto now_ms = site.clock.now_ms();
  const auto too_many = [](std::int64_t wait_s) {
    return error_answer(429, "rate_limited", "Too many registrations. Try again later.", wait_s);
  };
  if (const auto wait_s = site.oauth.registrations.acquire(call.context.visitor_key, now_ms); wait_s > 0) {
    return too_many(wait_s);
  }
  const OauthClient client{"app_" + site.sessions.new_token().substr(0, 32), std::move(metadata.name),
                           std::move(metadata.redirects)};
  constexpr std::int64_t kFullRetryS = 3'600;
  if (!site.oauth.store.add_client(client, now_ms)) return too_many(kFullRetryS);
  json::Writer out;
  out.begin_object();
  out.string("client_id", client.id);
  out.integer("client_id_issued_at", now_ms / kMsPerSecond);
  if (!client.name.empty()) out.string("client_name", client.name);
  const std::vector<std::string_view> redirects(client.redirects.begin(), client.redirects.end());
  write_list(out, "redirect_uris", redirects);
  write_list(out, "grant_types", {"authorization_code", "refresh_token"});
  write_list(out, "response_types", {"code"});
  out.string("token_endpoint_auth_method", "none");
  out.string("scope", kOauthScope);
  out.end_object();
  return for_any_origin(json_answer(201, out.take()));
}

Response issue_tokens(Site& site, const SiteCall& call) {
  if (auto early = answer_early(site, call)) return *std::move(early);
  const auto form = read_form(call.context.request);
  if (!form) return malformed_form();
  const auto& grant_type = form->get("grant_type");
  const bool is_code = grant_type == "authorization_code";
  if (!is_code && grant_type != "refresh_token") {
    return oauth_error(400, {"unsupported_grant_type", "grant_type must be authorization_code or refresh_token"});
  }
  if (const auto error = resource_error(*form, site.oauth.resource)) return oauth_error(400, *error);
  const auto& client_id = form->get("client_id");
  if (!is_document_id(client_id) && !site.oauth.store.find_client(client_id)) {
    return oauth_error(400, {"invalid_client", "client_id names no registered application"});
  }
  const auto hash = oauth_hash(site, form->get(is_code ? "code" : "refresh_token"));
  const auto token = site.oauth.store.find_token(hash, site.clock.now_ms());
  const bool is_known = token && token->grant.client_id == client_id &&
                        token->kind == (is_code ? OauthTokenKind::code : OauthTokenKind::refresh);
  if (!is_known) return invalid_grant("the code or token does not exist, or was issued to another application");
  if (token->state == FoundToken::State::used) return refuse_replay(site, *token);
  if (token->state == FoundToken::State::expired) return invalid_grant("the code or token has expired");
  if (is_code) {
    if (auto refusal = refuse_code(site, *form, token->grant)) return *std::move(refusal);
  }
  if (const auto wait_s = site.oauth.refreshes.acquire(token->grant.id, site.clock.now_ms()); wait_s > 0) {
    return error_answer(429, "rate_limited", "Too many tokens for this connection. Try again later.", wait_s);
  }
  return replace_token(site, *token, hash);
}

Response revoke_token(Site& site, const SiteCall& call) {
  if (auto early = answer_early(site, call)) return *std::move(early);
  const auto form = read_form(call.context.request);
  if (!form) return malformed_form();
  if (form->get("token").empty()) return malformed_request("token is missing");
  if (form->get("client_id").empty()) return malformed_request("client_id is missing");
  const auto token = site.oauth.store.find_token(oauth_hash(site, form->get("token")), site.clock.now_ms());
  if (token && token->kind != OauthTokenKind::code) {
    if (token->grant.client_id != form->get("client_id")) {
      return invalid_grant("the token was issued to another application");
    }
    end_connection(site, token->grant.id, token->grant.key_id);
  }
  return for_any_origin(json_answer(200, "{}"));
}

}  // namespace tonearm::web
