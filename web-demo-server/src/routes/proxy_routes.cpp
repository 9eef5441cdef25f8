#include "routes/proxy_routes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <span>

#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

Headers select_headers(const Headers& headers, std::span<const std::string_view> names) {
  Headers selected;
  std::copy_if(headers.begin(), headers.end(), std::back_inserter(selected), [&](const Header& header) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return is_named(header, name); });
  });
  return selected;
}

ClientRequest upstream_request(const RequestContext& context, std::string target) {
  const auto& request = context.request;
  ClientRequest out;
  out.method = request.head.method == "HEAD" ? "GET" : request.head.method;
  out.target = std::move(target);
  out.body = request.body;
  constexpr std::array<std::string_view, 5> kForwarded{"Accept", "Content-Type", "If-None-Match", "Prefer",
                                                       "X-Confirm"};
  out.headers = select_headers(request.head.headers, kForwarded);
  return out;
}

/// Builds the response to the visitor from a response of the API.
Response relay(ClientResponse response) {
  constexpr std::array<std::string_view, 9> kForwarded{
      "Allow", "Cache-Control",      "Content-Disposition", "Content-Type",
      "ETag",  "Preference-Applied", "Retry-After",         "Tonearm-Catalog",
      "Vary"};
  return {response.status, select_headers(response.headers, kForwarded), std::move(response.body)};
}

/// Returns the request's target with `prefix` replaced.
std::string target_without(std::string_view prefix, const RequestContext& context, std::string_view replacement) {
  std::string target(replacement);
  target.append(context.path.substr(prefix.size()));
  if (!context.query.empty()) target.append("?").append(context.query);
  return target;
}

Response send_as_person(Site& site, const SiteCall& call, std::string target) {
  const auto& account = call.signed_in->person.account;
  const native::RunningRequest slot(site.person_calls, native::ClientKey{std::hash<std::string>{}(account)});
  if (!slot.is_admitted()) return error_answer(429, "rate_limited", "Too many requests at once. Try again later.", 1);
  auto response =
      site.session_keys.send(call.signed_in->session_id, account, upstream_request(call.context, std::move(target)));
  if (!response) return account_gone();
  auto answer = relay(*std::move(response));
  // Caches must not store personal data.
  for (auto& header : answer.headers) {
    if (is_named(header, "Cache-Control")) header.value = "no-store";
  }
  if (find_header(answer.headers, "Cache-Control") == nullptr) answer.headers.push_back({"Cache-Control", "no-store"});
  return answer;
}

}  // namespace

Response forward_description(Site& site, const SiteCall& call) {
  return relay(site.backend.send_to_api(upstream_request(call.context, "/openapi.json")));
}

Response forward_as_site(Site& site, const SiteCall& call) {
  auto request = upstream_request(call.context, target_without("/site", call.context, "/v1"));
  if (call.context.is_read()) request.body.clear();
  return relay(site.operator_account.send(std::move(request)));
}

Response forward_as_person(Site& site, const SiteCall& call) {
  return send_as_person(site, call, target_without("/site", call.context, "/v1"));
}

Response forward_trial(Site& site, const SiteCall& call) {
  return send_as_person(site, call, target_without("/site/try", call.context, ""));
}

Response not_signed_in() { return error_answer(401, "signed_out", "Sign in first."); }

Response account_gone() {
  return error_answer(409, "account_gone",
                      "Your account no longer exists in the catalog. Delete it here, then sign up again.");
}

}  // namespace tonearm::web
