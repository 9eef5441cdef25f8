#include "api/routing/call_handler.h"

#include <algorithm>
#include <array>

#include "api/requests/bearer.h"
#include "api/requests/call.h"
#include "state/accounts.h"
#include "table/answers.h"
#include "text/unicode.h"
#include "tonearm/http_fields.h"

namespace tonearm {

Response error_response(const Error& error) {
  Response response = api::json_response(error_row(error.code).status, table::kErrorType, table::ErrorView{error});
  if (response.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  if (error.retry_after_s > 0) response.headers.push_back({"Retry-After", std::to_string(error.retry_after_s)});
  return response;
}

namespace api {
namespace {

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kRetryAfterSecondsMax = 86'400;

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

/// What a call record names the route by (RECORD-1).
std::string_view template_of(const RouteMatch& found) { return found.path.empty() ? "(unknown)" : found.path; }

std::int64_t seconds_until(std::int64_t end_ms, std::int64_t now_ms) {
  return end_ms <= now_ms ? 0 : (end_ms - now_ms + kSecondMs - 1) / kSecondMs;
}

/// LIMIT-7: the IETF draft's fields, version 10; the month without `w` and `t`.
Headers rate_limit_headers(const RateState& rate, std::int64_t now_ms) {
  constexpr std::array<std::string_view, 3> kWindowSeconds{";w=60", ";w=86400", ""};
  std::string policy;
  std::string left;
  for (const auto& window : rate.limits) {
    if (!window) continue;
    const auto index = static_cast<std::size_t>(window->window);
    const std::string name = '"' + std::string(kWindowNames[index]) + '"';
    if (!policy.empty()) policy += ", ";
    if (!left.empty()) left += ", ";
    policy += name + ";q=" + std::to_string(window->quota) + std::string(kWindowSeconds[index]);
    left += name + ";r=" + std::to_string(window->remaining);
    if (window->window != Window::month) left += ";t=" + std::to_string(seconds_until(window->resets_ms, now_ms));
  }
  return {{"RateLimit-Policy", policy}, {"RateLimit", left}};
}

/// LIMIT-6, ERROR-5.
Response refused_response(const RateState& rate, std::int64_t now_ms) {
  const Window window = *rate.exceeded;
  const RateState::Limit& left = *rate.limits[static_cast<std::size_t>(window)];
  const std::int64_t wait_s = std::clamp<std::int64_t>(seconds_until(left.resets_ms, now_ms), 1, kRetryAfterSecondsMax);
  const Error error{ErrorCode::rate_limited, "Over the limit of " + std::to_string(left.quota) + " calls in a " +
                                                 std::string(kWindowNames[static_cast<std::size_t>(window)]) + "."};
  Response response = json_response(429, table::kErrorType, table::ErrorView{error, window, left.resets_ms});
  response.headers.push_back({"Retry-After", std::to_string(wait_s)});
  return response;
}

void append(Headers& to, const Headers& headers) { to.insert(to.end(), headers.begin(), headers.end()); }

const Error kNoRoute{ErrorCode::not_found, "There is no such route."};

const Error kStateUnreachable{ErrorCode::unavailable, "The account store cannot be reached now; retry later."};

}  // namespace

state::CallRecord CallHandler::begin_record(const Admitted& admitted, const std::string& method) {
  state::CallRecord record;
  record.account = admitted.account;
  record.key_id = admitted.key_id;
  record.at_ms = admitted.counted_ms;
  record.number = admitted.call_number;
  record.method = method;
  record.first_party = admitted.first_party;
  return record;
}

Response method_not_allowed(std::string_view method, const std::string& allowed) {
  Response response =
      error_response({ErrorCode::method_not_allowed,
                      text::quotable(method) + " is not supported here; supported are " + allowed + '.'});
  response.headers.push_back({"Allow", allowed});
  return response;
}

std::variant<Response, Admitted> CallHandler::admit(const RequestHead& head) {
  const std::int64_t began_ms = dependencies_.clock.now_ms();
  if (is_public(head)) {
    Admitted admitted;
    admitted.began_ms = began_ms;
    return admitted;
  }
  if (auto refusal = refuse_path(head)) return *std::move(refusal);
  // MCP-5: which messages count is seen from the body.
  return admit_key(head, is_mcp(head) ? state::Counting::uncounted : state::Counting::counted, {}, {began_ms});
}

std::variant<Response, Admitted> CallHandler::admit_key(const RequestHead& head, state::Counting counting,
                                                        std::string_view route, Times times) {
  Admitted admitted;
  admitted.began_ms = times.began_ms;
  admitted.waited_ms = times.waited_ms;
  const auto token = bearer_token(head.headers, kKeyWords);
  if (!token) return error_response(token.error());
  try {
    return admitted_as(dependencies_.accounts.admit(*token, counting), std::move(admitted), head, route);
  } catch (const Failure& failure) {
    if (report_failure_) report_failure_(failure.what());
    return error_response(kStateUnreachable);
  }
}

std::variant<Response, Admitted> CallHandler::admitted_as(const state::Admission& admission, Admitted admitted,
                                                          const RequestHead& head, std::string_view route) {
  if (admission.outcome == state::Admission::Outcome::invalid_key) {
    return error_response({ErrorCode::invalid_api_key, std::string(kKeyWords.invalid)});
  }
  admitted.account = admission.account;
  admitted.key_id = admission.key_id;
  admitted.first_party = admission.first_party;
  admitted.counted_ms = admission.now_ms;
  admitted.call_number = admission.call_number;
  if (admission.rate) admitted.headers = rate_limit_headers(*admission.rate, admission.now_ms);
  if (admission.outcome == state::Admission::Outcome::admitted) return admitted;
  return recorded(admitted, head, route, refused_response(*admission.rate, admission.now_ms));
}

std::optional<std::variant<Response, Admitted>> CallHandler::try_admit(const RequestHead& head) {
  Admitted admitted;
  admitted.began_ms = dependencies_.clock.now_ms();
  const auto path = http_fields::path_of(head.target);
  if (path == "/healthz" && is_public(head)) return admitted;
  const auto found = find_route(Surface::api, head.method, path);
  if (found.route == nullptr || found.route->needs != Needs::catalog || found.route->method != "GET") {
    return std::nullopt;
  }
  const auto token = bearer_token(head.headers, kKeyWords);
  if (!token) return error_response(token.error());
  const auto admission = dependencies_.accounts.try_admit(*token, state::Counting::counted);
  if (!admission) return std::nullopt;
  return admitted_as(*admission, std::move(admitted), head, found.path);
}

Response CallHandler::answer(const Admitted& admitted, const Request& request) {
  if (admitted.account.empty()) return dispatch(Surface::open, admitted, request, {});
  if (is_mcp(request.head)) return answer_message(admitted, request);
  state::CallRecord record = begin_record(admitted, request.head.method);
  Response response = dispatch(Surface::api, admitted, request, {.record = &record, .shares_body = shares_bodies_});
  end_record(admitted, response, std::move(record));
  return response;
}

Response CallHandler::read_catalog(const Request& request) {
  const auto found = find_route(Surface::api, "GET", http_fields::path_of(request.head.target));
  if (found.route == nullptr || found.route->needs != Needs::catalog) return error_response(kNoRoute);
  return dispatch(Surface::api, {}, request, {});
}

Response CallHandler::refuse(const Admitted& admitted, const RequestHead& head, Response response) {
  if (admitted.account.empty() || is_mcp(head)) return response;
  return recorded(admitted, head, {}, std::move(response));
}

Response CallHandler::recorded(const Admitted& admitted, const RequestHead& head, std::string_view route,
                               Response response) {
  state::CallRecord record = begin_record(admitted, head.method);
  record.route =
      route.empty() ? template_of(find_route(Surface::api, head.method, http_fields::path_of(head.target))) : route;
  end_record(admitted, response, std::move(record));
  return response;
}

void CallHandler::end_record(const Admitted& admitted, Response& response, state::CallRecord record) {
  append(response.headers, admitted.headers);
  record.status = response.status;
  record.duration_ms = std::max<std::int64_t>(dependencies_.clock.now_ms() - admitted.began_ms, 0) + admitted.waited_ms;
  dependencies_.record(std::move(record));
}

Response CallHandler::handle_admin(const Request& request) {
  if (auto refusal = refuse_admin(request.head)) return *std::move(refusal);
  OperatorAct act{.method = request.head.method};
  Response response = dispatch(Surface::admin, {}, request, {.act = &act});
  act.status = response.status;
  admin_gate_.audit(request.head, act);
  return response;
}

Response CallHandler::dispatch(Surface surface, const Admitted& admitted, const Request& request, Notes notes) {
  const auto found = find_route(surface, request.head.method, http_fields::path_of(request.head.target));
  if (notes.record != nullptr) notes.record->route = template_of(found);
  if (notes.act != nullptr) {
    notes.act->route = found.path;
    for (const auto& name : found.names) notes.act->subject += (notes.act->subject.empty() ? "" : " ") + name;
  }
  if (found.path.empty()) {
    return error_response(kNoRoute);
  }
  if (found.route == nullptr) {
    return method_not_allowed(request.head.method, found.allow);
  }
  const std::shared_ptr<const Catalog> catalog = dependencies_.catalog();
  Response response;
  try {
    Answer answer = run(found, admitted, request, catalog, notes);
    response = answer ? std::move(*answer) : error_response(answer.error());
  } catch (const Failure& failure) {
    if (report_failure_) report_failure_(failure.what());
    response = error_response({ErrorCode::unavailable, "The service cannot answer now; retry later."});
  }
  // SERVICE-8: every catalog answer says which version it is from.
  if (needs_catalog(found.route->needs) && catalog != nullptr) {
    response.headers.push_back({"Tonearm-Catalog", catalog->version()});
    if (response.status == 200 && found.route->is_conditional()) {
      for (Header& header : response.headers) {
        if (header.name == "Cache-Control") header.value = kRevalidate;
      }
      response.headers.push_back({"ETag", entity_tag(*catalog)});
    }
  }
  return response;
}

Answer CallHandler::run(const RouteMatch& found, const Admitted& admitted, const Request& request,
                        const std::shared_ptr<const Catalog>& catalog, Notes notes) {
  const Route& route = *found.route;
  if (needs_catalog(route.needs) && catalog == nullptr) {
    return catalog_unavailable();
  }
  // Probes add whatever they like to the public paths; everywhere else an unknown parameter is refused (QUERY-2).
  const std::string_view query = route.surface == Surface::open ? std::string_view{} : query_of(request.head.target);
  auto values = parse_query(query, route.query());
  if (!values) return values.error();
  Call call{request,
            admitted,
            route,
            found.names,
            std::move(*values),
            catalog,
            dependencies_.accounts,
            dependencies_.collections,
            dependencies_.store,
            readiness_,
            cache_,
            dependencies_.backup,
            notes.shares_body};
  Answer answer = route.handler.answer(call);
  // HOST-27: nothing is answered from bytes that were not checked.
  if (needs_catalog(route.needs) && !catalog->is_unchanged()) answer = catalog_unavailable();
  if (notes.record != nullptr) {
    notes.record->result_count = call.result_count;
    notes.record->search_text = std::move(call.search_text);
  }
  if (notes.act != nullptr) {
    notes.act->detail = std::move(call.act_detail);
    notes.act->created = std::move(call.act_created);
  }
  return answer;
}

Error catalog_unavailable() { return {ErrorCode::unavailable, "The catalog is not available now; retry later."}; }

Response json_response(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

}  // namespace api

}  // namespace tonearm
