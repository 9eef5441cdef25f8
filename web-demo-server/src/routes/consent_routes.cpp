#include "routes/consent_routes.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "json/writer.h"
#include "oauth/authorization_request.h"
#include "oauth/redirect_address.h"
#include "oauth/registration.h"
#include "routes/oauth_routes.h"
#include "routes/password_checks.h"
#include "routes/proxy_routes.h"
#include "tonearm/dates.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kCodeMs = 60'000;  // OAUTH-7

Response refuse_request(std::string_view message) { return error_answer(400, "invalid_request", message); }

/// The address to which the browser of the person goes next.
Response redirect_answer(std::string_view address) {
  json::Writer out;
  out.begin_object();
  out.string("redirect", address);
  out.end_object();
  return json_answer(200, out.take());
}

/// A request whose application and redirect address are known.
struct KnownRequest {
  OauthClient client;
  OauthParameters parameters;
};

/// RFC 6749, 4.1.2.1, with `iss` (RFC 9207)
Response report_error(const Site& site, const KnownRequest& request, const OauthError& error) {
  return redirect_answer(
      with_parameters(request.parameters.get("redirect_uri"), {{"error", error.code},
                                                               {"error_description", error.description},
                                                               {"state", request.parameters.get("state")},
                                                               {"iss", site.oauth.issuer}}));
}

/// Returns the response if application or redirect address are not known: then no browser is sent to the address
/// (OAUTH-4).
std::variant<Response, KnownRequest> find_application(Site& site, const Person& person, std::string_view query) {
  if (site.oauth.issuer.empty()) return no_oauth();
  auto parameters = OauthParameters::parse(query);
  if (!parameters) return refuse_request("The request of the application is malformed.");
  const auto& client_id = parameters->get("client_id");
  auto client = is_document_id(client_id)
                    ? site.oauth.documents.find(client_id, name_key(person.name), site.clock.now_ms())
                    : site.oauth.store.find_client(client_id);
  if (!client) return refuse_request("This application is not known here. Connect it again from its start.");
  const auto& redirect = parameters->get("redirect_uri");
  const auto is_same = [&](const std::string& registered) { return is_same_redirect(registered, redirect); };
  if (std::none_of(client->redirects.begin(), client->redirects.end(), is_same)) {
    return refuse_request("The application did not register the address to which it wants to return.");
  }
  return KnownRequest{*std::move(client), *std::move(parameters)};
}

/// Returns the response if the request cannot be allowed.
std::variant<Response, KnownRequest> check_request(Site& site, const Person& person, std::string_view query) {
  auto found = find_application(site, person, query);
  if (const auto* known = std::get_if<KnownRequest>(&found)) {
    const auto error = authorization_error(known->parameters, site.oauth.resource);
    if (error) return report_error(site, *known, *error);
  }
  return found;
}

void write_application(json::Writer& out, std::string_view name, std::string_view redirect) {
  out.string("name", name);
  out.string("host", redirect_host(redirect));
  out.boolean("is_local", is_loopback(redirect));
}

}  // namespace

Response get_authorization(Site& site, const SiteCall& call) {
  const auto checked = check_request(site, call.signed_in->person, call.context.query);
  if (const auto* response = std::get_if<Response>(&checked)) return *response;
  const auto& request = std::get<KnownRequest>(checked);
  json::Writer out;
  out.begin_object();
  write_application(out, request.client.name, request.parameters.get("redirect_uri"));
  out.key("publisher");
  is_document_id(request.client.id) ? out.string(redirect_host(request.client.id)) : out.null();
  out.end_object();
  return json_answer(200, out.take());
}

Response consent(Site& site, const SiteCall& call) {
  const auto body = read_strings(call.context.request.body, {"query", "decision"});
  const auto decision = body ? string_of(*body, "decision") : "";
  if (decision != "allow" && decision != "deny") {
    return refuse_request("The body must be {\"query\": string, \"decision\": \"allow\" or \"deny\"}.");
  }
  auto person = call.signed_in->person;
  const auto checked = check_request(site, person, string_of(*body, "query"));
  if (const auto* response = std::get_if<Response>(&checked)) return *response;
  const auto& request = std::get<KnownRequest>(checked);
  if (decision == "deny") return report_error(site, request, {"access_denied", "the person declined"});
  ensure_account(site, person);
  const auto& redirect = request.parameters.get("redirect_uri");
  const auto now_ms = site.clock.now_ms();
  const auto code = site.sessions.new_token();
  const OauthGrant grant{"con_" + site.sessions.new_token().substr(0, 32),
                         person.name,
                         person.account,
                         request.client.id,
                         request.client.name,
                         redirect,
                         request.parameters.get("code_challenge"),
                         ""};
  if (!site.oauth.store.add_grant(grant, oauth_hash(site, code), now_ms + kCodeMs, now_ms)) return not_signed_in();
  return redirect_answer(with_parameters(
      redirect, {{"code", code}, {"state", request.parameters.get("state")}, {"iss", site.oauth.issuer}}));
}

Response list_connections(Site& site, const SiteCall& call) {
  json::Writer out;
  out.begin_object();
  out.key("connections");
  out.begin_array();
  for (const auto& connection : site.oauth.store.connections(call.signed_in->person.name, site.clock.now_ms())) {
    out.begin_object();
    out.string("id", connection.id);
    write_application(out, connection.name, connection.redirect);
    out.string("created", rfc3339(connection.created_ms));
    out.string("last_used", rfc3339(connection.used_ms));
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return json_answer(200, out.take());
}

Response disconnect(Site& site, const SiteCall& call) {
  const std::string id(call.context.path.substr(call.context.path.rfind('/') + 1));
  const auto connections = site.oauth.store.connections(call.signed_in->person.name, site.clock.now_ms());
  const auto found = std::find_if(connections.begin(), connections.end(),
                                  [&](const Connection& connection) { return connection.id == id; });
  if (found == connections.end()) return error_answer(404, "not_found", "This connection does not exist.");
  end_connection(site, id, found->key_id);
  return json_answer(200, R"({"disconnected":true})");
}

}  // namespace tonearm::web
