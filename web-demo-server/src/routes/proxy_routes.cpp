#include "routes/proxy_routes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

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

std::string target_with_query(std::string_view path, const RequestContext& context) {
  std::string target(path);
  if (!context.query.empty()) target.append("?").append(context.query);
  return target;
}

Response forward_as_site(Site& site, const RequestContext& context, std::string_view below) {
  if (!context.is_read()) return method_not_allowed("GET, HEAD");
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
  return {response.status, select_headers(response.headers, kForwarded), std::move(response.body)};
}

Response not_signed_in() { return error_answer(401, "signed_out", "Sign in first."); }

Response account_gone() {
  return error_answer(409, "account_gone",
                      "Your account no longer exists in the catalog. Delete it here, then sign up again.");
}

std::optional<Response> answer_proxied(Site& site, const RequestContext& context) {
  if (context.path == "/openapi.json") {
    if (!context.is_read()) return method_not_allowed("GET, HEAD");
    return relay(site.backend.send_to_api(upstream_request(context, "/openapi.json")));
  }
  if (!context.path.starts_with("/site/") || has_dot_segments(context.path)) return std::nullopt;
  const auto below = context.path.substr(kPrefix.size());
  for (const std::string_view route : {"/search", "/complete", "/meta"}) {
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
