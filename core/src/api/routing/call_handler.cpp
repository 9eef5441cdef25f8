#include "api/routing/call_handler.h"

#include <algorithm>
#include <array>

#include "api/requests/bearer.h"
#include "api/requests/call.h"
#include "domain/api_key.h"
#include "state/accounts/accounts.h"
#include "table/answers.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {
namespace {

// ---- Error messages

Error no_such_route() { return {ErrorCode::not_found, "There is no such route."}; }
Error state_unreachable() { return {ErrorCode::unavailable, "The account store cannot be reached now; retry later."}; }
Error service_unavailable() { return {ErrorCode::unavailable, "The service cannot answer now; retry later."}; }
/// `what`: "calls".
Error over_limit(std::uint32_t quota, std::string_view what, Window window) {
  return {ErrorCode::rate_limited, "Over the limit of " + std::to_string(quota) + ' ' + std::string(what) + " in a " +
                                       std::string(kWindowNames[static_cast<std::size_t>(window)]) + "."};
}

// ---- Response headers and records

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kRetryAfterSecondsMax = 86'400;

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

/// Returns the route's name for the call record (RECORD-1).
std::string_view template_of(const RouteMatch& found) { return found.path.empty() ? "(unknown)" : found.path; }

std::int64_t seconds_until(std::int64_t end_ms, std::int64_t now_ms) {
  return end_ms <= now_ms ? 0 : (end_ms - now_ms + kSecondMs - 1) / kSecondMs;
}

/// LIMIT-7: the header fields of the IETF draft, version 10. The month has no `w` and no `t`.
Headers rate_limit_headers(const RateState& rate, std::int64_t now_ms) {
  constexpr std::array<std::string_view, 3> kWindowSeconds{";w=60", ";w=86400", ""};
  std::string policy;
  std::string remaining;
  for (const auto& window : rate.limits) {
    if (!window) continue;
    const auto index = static_cast<std::size_t>(window->window);
    const std::string name = '"' + std::string(kWindowNames[index]) + '"';
    if (!policy.empty()) policy += ", ";
    if (!remaining.empty()) remaining += ", ";
    policy += name + ";q=" + std::to_string(window->quota) + std::string(kWindowSeconds[index]);
    remaining += name + ";r=" + std::to_string(window->remaining);
    if (window->window != Window::month) remaining += ";t=" + std::to_string(seconds_until(window->resets_ms, now_ms));
  }
  return {{"RateLimit-Policy", policy}, {"RateLimit", remaining}};
}

/// LIMIT-6, ERROR-5.
Response rate_limit_response(const RateState::Limit& limit, std::string_view what, std::int64_t now_ms) {
  const std::int64_t wait_s =
      std::clamp<std::int64_t>(seconds_until(limit.resets_ms, now_ms), 1, kRetryAfterSecondsMax);
  const Error error = over_limit(limit.quota, what, limit.window);
  Response response = json_response(429, table::kErrorType, table::ErrorView{error, limit.window, limit.resets_ms});
  response.headers.push_back({"Retry-After", std::to_string(wait_s)});
  return response;
}

void append(Headers& to, const Headers& headers) { to.insert(to.end(), headers.begin(), headers.end()); }

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

std::variant<Response, Admitted> CallHandler::admit(const RequestHead& head) {
  const std::int64_t began_ms = dependencies_.clock.now_ms();
  if (is_public(head)) {
    Admitted admitted;
    admitted.began_ms = began_ms;
    return admitted;
  }
  if (auto metadata = protected_resource_.answer(head)) return *std::move(metadata);
  if (auto refusal = check_path(head)) return *std::move(refusal);
  // MCP-5: whether a message counts as a call depends on its body.
  return admit_key(head, is_mcp(head) ? state::Counting::uncounted : state::Counting::counted, {}, {began_ms});
}

std::variant<Response, Admitted> CallHandler::admit_key(const RequestHead& head, state::Counting counting,
                                                        std::string_view route, Times times) {
  auto outcome = check_key(head, counting, route, times);
  if (auto* refusal = std::get_if<Response>(&outcome)) protected_resource_.add_challenge(head, *refusal);
  return outcome;
}

std::variant<Response, Admitted> CallHandler::check_key(const RequestHead& head, state::Counting counting,
                                                        std::string_view route, Times times) {
  Admitted admitted;
  admitted.began_ms = times.began_ms;
  admitted.waited_ms = times.waited_ms;
  const auto key = presented_key(head.headers);
  if (!key) return error_response(key.error());
  try {
    return to_admission_result(dependencies_.accounts.admit(*key, counting), std::move(admitted), head, route);
  } catch (const Failure& failure) {
    if (report_failure_) report_failure_(failure.what());
    return error_response(state_unreachable());
  }
}

std::variant<Response, Admitted> CallHandler::to_admission_result(const state::Admission& admission, Admitted admitted,
                                                                  const RequestHead& head, std::string_view route) {
  if (admission.outcome == state::Admission::Outcome::invalid_key) {
    return error_response(invalid_key_error());
  }
  admitted.account = admission.account;
  admitted.key_id = admission.key_id;
  admitted.first_party = admission.first_party;
  admitted.counted_ms = admission.now_ms;
  admitted.call_number = admission.call_number;
  if (admission.rate) admitted.headers = rate_limit_headers(*admission.rate, admission.now_ms);
  if (admission.outcome == state::Admission::Outcome::admitted) return admitted;
  const auto& exceeded = *admission.rate->limits[static_cast<std::size_t>(*admission.rate->exceeded)];
  return record_refusal(admitted, head, route, rate_limit_response(exceeded, "calls", admission.now_ms));
}

std::optional<Response> CallHandler::limit_message(const Admitted& admitted) {
  const auto resets_ms = message_limit_.count(admitted.account, admitted.counted_ms);
  if (!resets_ms) return std::nullopt;
  const RateState::Limit limit{Window::minute, state::kMessagesPerMinute, 0, *resets_ms};
  return rate_limit_response(limit, "messages that are no calls", admitted.counted_ms);
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
  const auto key = presented_key(head.headers);
  if (!key) return error_response(key.error());
  const auto admission = dependencies_.accounts.try_admit(*key, state::Counting::counted);
  if (!admission) return std::nullopt;
  return to_admission_result(*admission, std::move(admitted), head, found.path);
}

Response CallHandler::answer(const Admitted& admitted, const Request& request) {
  if (admitted.account.empty()) return dispatch(Surface::open, admitted, request, {});
  if (is_mcp(request.head)) return answer_mcp(admitted, request);
  state::CallRecord record = begin_record(admitted, request.head.method);
  Response response = dispatch(Surface::api, admitted, request, {.record = &record, .shares_body = shares_bodies_});
  end_record(admitted, response, std::move(record));
  return response;
}

Response CallHandler::read_catalog(const Request& request) {
  const auto found = find_route(Surface::api, "GET", http_fields::path_of(request.head.target));
  if (found.route == nullptr || found.route->needs != Needs::catalog) return error_response(no_such_route());
  return dispatch(Surface::api, {}, request, {});
}

Response CallHandler::refuse(const Admitted& admitted, const RequestHead& head, Response response) {
  if (admitted.account.empty()) return response;
  if (!is_mcp(head)) return record_refusal(admitted, head, {}, std::move(response));
  const std::string call = admitted.counted_message.value_or("");
  return call.empty() ? response : record_refusal(admitted, head, route_of_call(call), std::move(response));
}

Response CallHandler::record_refusal(const Admitted& admitted, const RequestHead& head, std::string_view route,
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
  AuditEntry entry{.method = request.head.method};
  Response response = dispatch(Surface::admin, {}, request, {.audit = &entry});
  entry.status = response.status;
  admin_gate_.audit(request.head, entry);
  return response;
}

Response CallHandler::dispatch(Surface surface, const Admitted& admitted, const Request& request, SideOutputs outputs) {
  const auto found = find_route(surface, request.head.method, http_fields::path_of(request.head.target));
  if (outputs.record != nullptr) outputs.record->route = template_of(found);
  if (outputs.audit != nullptr) {
    std::string& subject = outputs.audit->subject;
    outputs.audit->route = found.path;
    for (const auto& value : found.path_values) subject += (subject.empty() ? "" : " ") + value;
    outputs.audit->is_plain_read = found.route != nullptr && found.route->method == "GET" && !found.route->is_sensitive;
  }
  if (found.path.empty()) return error_response(no_such_route());
  if (found.route == nullptr) return method_not_allowed(request.head.method, found.allow);
  std::shared_ptr<const Catalog> catalog;
  Response response;
  try {
    // Other routes never wait for blocks of a catalog (ADMIN-1).
    if (needs_catalog(found.route->needs)) catalog = dependencies_.catalog();
    Answer answer = call_route(found, admitted, request, catalog, outputs);
    response = answer ? std::move(*answer) : error_response(answer.error());
  } catch (const Failure& failure) {
    if (report_failure_) report_failure_(failure.what());
    response = error_response(service_unavailable());
  }
  // SERVICE-8: every catalog answer names the catalog's version.
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

Answer CallHandler::call_route(const RouteMatch& found, const Admitted& admitted, const Request& request,
                               const std::shared_ptr<const Catalog>& catalog, SideOutputs outputs) {
  const Route& route = *found.route;
  if (needs_catalog(route.needs) && catalog == nullptr) return catalog_unavailable();
  // Probes may add any parameters to the public paths. Other routes reject unknown parameters (QUERY-2).
  const std::string_view query = route.surface == Surface::open ? std::string_view{} : query_of(request.head.target);
  auto values = parse_query(query, route.query());
  if (!values) return values.error();
  Call call{request,
            admitted,
            route,
            found.path_values,
            std::move(*values),
            catalog,
            dependencies_.accounts,
            dependencies_.accounts,
            dependencies_.accounts,
            dependencies_.collections,
            dependencies_.take_downs,
            dependencies_.store,
            dependencies_.hashing,
            readiness_,
            cache_,
            dependencies_.catalog,
            dependencies_.served_catalog,
            dependencies_.backup,
            outputs.shares_body};
  Answer answer = route.handler.answer(call);
  // HOST-27: nothing is answered from bytes that were not verified.
  if (needs_catalog(route.needs) && !call.is_cached && !catalog->is_unchanged()) answer = catalog_unavailable();
  if (outputs.record != nullptr) {
    outputs.record->result_count = call.result_count;
    outputs.record->search_text = std::move(call.search_text);
  }
  if (outputs.audit != nullptr) {
    outputs.audit->detail = std::move(call.audit_detail);
    outputs.audit->created = std::move(call.audit_created_id);
  }
  return answer;
}

}  // namespace tonearm::api
