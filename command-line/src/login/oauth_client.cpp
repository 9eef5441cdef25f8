#include "login/oauth_client.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "output/json_values.h"
#include "server/api_client.h"
#include "system/system_ports.h"
#include "text/percent.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

using Form = std::vector<std::pair<std::string_view, std::string>>;

constexpr std::string_view kWellKnown = "/.well-known/";

/// Returns an address that secrets may be sent to. Throws ServerError.
ApiAddress checked_address(const std::string& url, const std::string& what) {
  try {
    auto address = read_api_address(url);
    if (!address.is_exposed) return address;
  } catch (const std::invalid_argument&) {
    throw ServerError("the " + what + " is not an address: " + url);
  }
  throw ServerError("the " + what + " is not https, so it would be sent secrets unencrypted: " + url);
}

ApiAnswer send(const std::string& url, const std::string& what, const std::string& ca_file, const ApiRequest& request) {
  const auto address = checked_address(url, what);
  ApiClient client({.url = address.url, .key = {}, .ca_file = ca_file, .is_local = address.is_local});
  return client.send(request);
}

/// Returns the address of metadata: RFC 8414 and RFC 9728 insert the name between the host and the path.
std::string metadata_address(const std::string& url, const std::string& name) {
  const auto address = text::parse_web_address(url);
  if (!address) throw ServerError("not an address: " + url);
  const auto path = address->path == "/" ? std::string_view() : address->path;
  return std::string(address->origin).append(kWellKnown).append(name).append(path);
}

std::string form_text(const Form& form) {
  std::string text;
  for (const auto& [name, value] : form) {
    if (value.empty()) continue;
    if (!text.empty()) text += '&';
    text.append(name).append("=").append(text::encode_percent(value));
  }
  return text;
}

/// The error of RFC 6749, 5.2, or of the site.
std::string oauth_message(const ApiAnswer& answer) {
  json::error_code error;
  const auto value = json::parse(answer.body, error);
  const auto description = !error && value.is_object() ? text_at(value.get_object(), {"error_description"}) : "";
  return description.empty() ? error_message(answer) : description + " (" + std::to_string(answer.status) + ')';
}

bool has_error(const ApiAnswer& answer, std::string_view code) {
  json::error_code error;
  const auto value = json::parse(answer.body, error);
  return !error && value.is_object() && text_at(value.get_object(), {"error"}) == code;
}

ApiAnswer post_form(const std::string& url, const std::string& what, const std::string& ca_file, const Form& form) {
  return send(url, what, ca_file, {"POST", "", form_text(form), "application/x-www-form-urlencoded"});
}

std::string required(const json::object& object, std::string_view name, const std::string& what) {
  auto text = text_at(object, {name});
  if (text.empty()) throw ServerError("the " + what + " lacks " + std::string(name));
  return text;
}

/// Accepts only tokens that fit into a header field.
std::string token_of(const json::object& object, std::string_view name) {
  constexpr std::size_t kTokenBytesMax = 1'024;
  auto token = required(object, name, "answer of the token endpoint");
  const bool is_visible = std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; });
  if (!is_visible || token.size() > kTokenBytesMax) throw ServerError("the token endpoint returned no usable token");
  return token;
}

void store_tokens(Login& login, const ApiAnswer& answer) {
  const auto tokens = read_answer(answer.body);
  login.access_token = token_of(tokens, "access_token");
  login.refresh_token = token_of(tokens, "refresh_token");
}

bool contains(const json::object& object, std::string_view name, std::string_view wanted) {
  const auto* const list = find(object, {name});
  if (list == nullptr || !list->is_array()) return false;
  return std::ranges::any_of(
      list->get_array(), [&](const json::value& value) { return value.is_string() && value.get_string() == wanted; });
}

std::string first_of(const json::object& object, std::string_view name) {
  const auto* const list = find(object, {name});
  if (list == nullptr || !list->is_array() || list->get_array().empty() || !list->get_array()[0].is_string()) return {};
  return std::string(list->get_array()[0].get_string());
}

std::string random_text() {
  std::array<std::uint8_t, 32> bytes{};
  native::SystemRandom().fill(bytes);
  return ascii::to_hex(bytes);
}

}  // namespace

AuthorizationServer OauthClient::discover(const std::string& api) const {
  AuthorizationServer server;
  server.resource = api + "/mcp";
  const auto about_api =
      send(metadata_address(server.resource, "oauth-protected-resource"), "address of the API", ca_file_, {"GET", ""});
  if (about_api.status == 404) {
    throw ServerError(api + " has no login (OAuth is off there): use an API key instead");
  }
  if (!about_api.is_success()) throw ServerError(error_message(about_api));
  const auto resource = read_answer(about_api.body);
  if (const auto named = text_at(resource, {"resource"}); named != server.resource) {
    throw ServerError("the API at " + api + " is that of " + named + ": name its own address with --api");
  }
  server.issuer = first_of(resource, "authorization_servers");
  if (server.issuer.empty()) throw ServerError("the API names no authorization server");
  const auto about_server = send(metadata_address(server.issuer, "oauth-authorization-server"), "authorization server",
                                 ca_file_, {"GET", ""});
  if (!about_server.is_success()) {
    throw ServerError("the authorization server " + server.issuer + " has no metadata (" +
                      std::to_string(about_server.status) + ')');
  }
  const auto metadata = read_answer(about_server.body);
  const std::string what = "authorization server " + server.issuer;
  if (text_at(metadata, {"issuer"}) != server.issuer) throw ServerError("the " + what + " has another issuer");
  if (!contains(metadata, "code_challenge_methods_supported", "S256")) {
    throw ServerError("the " + what + " does not support the proof key S256");
  }
  server.authorization_endpoint = required(metadata, "authorization_endpoint", what);
  server.token_endpoint = required(metadata, "token_endpoint", what);
  server.registration_endpoint = required(metadata, "registration_endpoint", what);
  server.revocation_endpoint = required(metadata, "revocation_endpoint", what);
  checked_address(server.authorization_endpoint, "authorization endpoint");
  return server;
}

AuthorizationRequest OauthClient::register_client(const AuthorizationServer& server,
                                                  const std::string& redirect_uri) const {
  const json::object metadata{{"client_name", "tonearm, the command line"},
                              {"redirect_uris", json::array{redirect_uri}},
                              {"grant_types", json::array{"authorization_code", "refresh_token"}},
                              {"response_types", json::array{"code"}},
                              {"token_endpoint_auth_method", "none"}};
  const auto answer =
      send(server.registration_endpoint, "registration endpoint", ca_file_, {"POST", "", json::serialize(metadata)});
  if (!answer.is_success()) throw ServerError("the login cannot begin: " + oauth_message(answer));
  return {required(read_answer(answer.body), "client_id", "answer to the registration"), redirect_uri, random_text(),
          random_text()};
}

Login OauthClient::exchange(const AuthorizationServer& server, const AuthorizationRequest& request,
                            const RedirectAnswer& answer) const {
  const auto value = [&](std::string_view name) {
    const auto found = answer.find(name);
    return found == answer.end() ? std::string() : found->second;
  };
  // RFC 9207: first, because an error may be of another issuer, too.
  if (value("iss") != server.issuer)
    throw ServerError("the answer is not of " + server.issuer + ": nothing was stored");
  if (const auto error = value("error"); error == "access_denied") {
    throw ServerError("access was denied on the page: nothing was stored");
  } else if (!error.empty()) {
    const auto description = value("error_description");
    throw ServerError("the authorization server refused: " + (description.empty() ? error : description));
  }
  if (value("code").empty()) throw ServerError("the answer of the authorization server has no code");
  const auto tokens = post_form(server.token_endpoint, "token endpoint", ca_file_,
                                {{"grant_type", "authorization_code"},
                                 {"client_id", request.client_id},
                                 {"code", value("code")},
                                 {"redirect_uri", request.redirect_uri},
                                 {"code_verifier", request.verifier},
                                 {"resource", server.resource}});
  if (!tokens.is_success()) throw ServerError("the login failed: " + oauth_message(tokens));
  Login login{.client_id = request.client_id,
              .resource = server.resource,
              .token_endpoint = server.token_endpoint,
              .revocation_endpoint = server.revocation_endpoint,
              .access_token = {},
              .refresh_token = {}};
  store_tokens(login, tokens);
  return login;
}

Login OauthClient::refresh(const Login& login) const {
  const auto tokens = post_form(login.token_endpoint, "token endpoint", ca_file_,
                                {{"grant_type", "refresh_token"},
                                 {"client_id", login.client_id},
                                 {"refresh_token", login.refresh_token},
                                 {"resource", login.resource}});
  if (has_error(tokens, "invalid_grant") || has_error(tokens, "invalid_client")) {
    throw ServerError("the login has ended: use tonearm login again, or tonearm logout");
  }
  if (!tokens.is_success()) throw ServerError("the login cannot be renewed: " + oauth_message(tokens));
  auto renewed = login;
  store_tokens(renewed, tokens);
  return renewed;
}

void OauthClient::revoke(const Login& login) const {
  const auto answer = post_form(login.revocation_endpoint, "revocation endpoint", ca_file_,
                                {{"token", login.refresh_token}, {"client_id", login.client_id}});
  if (!answer.is_success()) throw ServerError(oauth_message(answer));
}

std::string authorization_page(const AuthorizationServer& server, const AuthorizationRequest& request) {
  return server.authorization_endpoint + '?' +
         form_text({{"response_type", "code"},
                    {"client_id", request.client_id},
                    {"redirect_uri", request.redirect_uri},
                    {"code_challenge", code_challenge(request.verifier)},
                    {"code_challenge_method", "S256"},
                    {"state", request.state},
                    {"scope", "account"},
                    {"resource", server.resource}});
}

std::string code_challenge(const std::string& verifier) {
  const auto hash = native::OpensslHashing().sha256(verifier);
  std::array<unsigned char, 48> base64{};
  const int size = ::EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(hash.size()));
  std::string text(base64.begin(), base64.begin() + size);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

}  // namespace tonearm::cli
