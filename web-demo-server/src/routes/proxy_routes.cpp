#include "routes/proxy_routes.h"

#include <algorithm>
#include <array>

#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kPrefix = "/site";

/// Returns whether `path` is `top` or is below it.
bool is_at_or_below(std::string_view path, std::string_view top) {
  return path == top || (path.starts_with(top) && path[top.size()] == '/');
}

/// Returns whether the path has `.` or `..` segments, which a proxy in front of the API could resolve to another route.
bool has_dot_segments(std::string_view path) {
  const auto segments = segments_of(path);
  return !segments || std::any_of(segments->begin(), segments->end(),
                                  [](const std::string& segment) { return segment == "." || segment == ".."; });
}

Headers forwarded_headers(const Headers& headers) {
  constexpr std::array<std::string_view, 5> kForwarded{"Accept", "Content-Type", "If-None-Match", "Prefer",
                                                       "X-Confirm"};
  Headers forwarded;
  for (const auto& header : headers) {
    const auto is_same = [&](std::string_view name) { return is_named(header, name); };
    if (std::any_of(kForwarded.begin(), kForwarded.end(), is_same)) forwarded.push_back(header);
  }
  return forwarded;
}

ClientRequest upstream_request(const RequestContext& context, std::string target) {
  const auto& request = context.request;
  ClientRequest out;
  out.method = request.head.method == "HEAD" ? "GET" : request.head.method;
  out.target = std::move(target);
  out.body = request.body;
  out.headers = forwarded_headers(request.head.headers);
  return out;
}

std::string target_with_query(std::string_view path, const RequestContext& context) {
  std::string target(path);
  if (!context.query.empty()) target.append("?").append(context.query);
  return target;
}

Response method_refused(std::string_view allowed) {
  auto response = error_answer(405, "method_not_allowed", "This route does not support the method.");
  response.headers.push_back({"Allow", std::string(allowed)});
  return response;
}

Response forward_as_site(Site& site, const RequestContext& context, std::string_view below) {
  if (!context.is_read()) return method_refused("GET, HEAD");
  auto request = upstream_request(context, target_with_query("/v1" + std::string(below), context));
  request.body.clear();
  return relay(site.operator_account.send(std::move(request)));
}

Response forward_as_person(Site& site, const RequestContext& context, std::string_view api_path) {
  const auto signed_in = site.sessions.find(context.request.head, context.transport);
  if (!signed_in) return not_signed_in();
  auto response = site.session_keys.send(signed_in->session_id, signed_in->person.account,
                                         upstream_request(context, target_with_query(api_path, context)));
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

Response relay(ClientResponse response) {
  constexpr std::array<std::string_view, 9> kForwarded{
      "Allow", "Cache-Control",      "Content-Disposition", "Content-Type",
      "ETag",  "Preference-Applied", "Retry-After",         "Tonearm-Catalog",
      "Vary"};
  Response answer{response.status, {}, std::move(response.body)};
  for (auto& header : response.headers) {
    const auto is_same = [&](std::string_view name) { return is_named(header, name); };
    if (std::any_of(kForwarded.begin(), kForwarded.end(), is_same)) answer.headers.push_back(std::move(header));
  }
  return answer;
}

Response not_signed_in() { return error_answer(401, "signed_out", "Sign in first."); }

Response account_gone() {
  return error_answer(409, "account_gone",
                      "Your account no longer exists in the catalog. Delete it here, then sign up again.");
}

std::optional<Response> answer_proxied(Site& site, const RequestContext& context) {
  if (context.path == "/openapi.json") {
    if (!context.is_read()) return method_refused("GET, HEAD");
    return relay(site.backend.send_to_api(upstream_request(context, "/openapi.json")));
  }
  if (!context.path.starts_with("/site/") || has_dot_segments(context.path)) return std::nullopt;
  const auto below = context.path.substr(kPrefix.size());
  for (const std::string_view route : {"/search", "/meta"}) {
    if (below == route) return forward_as_site(site, context, below);
  }
  if (is_at_or_below(below, "/tracks")) return forward_as_site(site, context, below);
  if (below.starts_with("/try/v1/")) return forward_as_person(site, context, below.substr(4));
  for (const std::string_view route : {"/license-changes", "/usage", "/export", "/credits/match"}) {
    if (below == route) return forward_as_person(site, context, "/v1" + std::string(below));
  }
  if (is_at_or_below(below, "/collections")) return forward_as_person(site, context, "/v1" + std::string(below));
  return std::nullopt;
}

}  // namespace tonearm::web
