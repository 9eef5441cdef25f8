#include "tonearm/service.h"

#include <algorithm>
#include <array>

#include "api/api_service.h"
#include "api/bearer.h"
#include "api/call.h"
#include "state/accounts.h"
#include "table/answers.h"
#include "text/unicode.h"

namespace tonearm {

bool is_named(const Header& header, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(header.name.begin(), header.name.end(), name.begin(), name.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

const std::string* find_header(const Headers& headers, std::string_view name) {
  for (const Header& header : headers) {
    if (is_named(header, name)) return &header.value;
  }
  return nullptr;
}

Response error_response(const Error& error) {
  Response response = api::json_response(error_row(error.code).status, table::kErrorType, table::ErrorView{error});
  if (response.status == 401) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

Response Service::handle(const Request& request) {
  auto admitted = admit(request.head);
  if (auto* refusal = std::get_if<Response>(&admitted)) return std::move(*refusal);
  return answer(std::get<Admitted>(admitted), request);
}

namespace api {
namespace {

using table::Surface;

constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kRetryAfterSecondsMax = 86'400;

using AnswerFunction = Answer (*)(Call&);

/// Indexed by RouteId.
constexpr std::array<AnswerFunction, table::kRouteCount> kAnswers{
    answer_search,
    answer_meta,
    answer_track,
    answer_similar,
    answer_collections_list,
    answer_collection_create,
    answer_collection_show,
    answer_collection_update,
    answer_collection_delete,
    answer_items_add,
    answer_item_update,
    answer_item_delete,
    answer_order_replace,
    answer_credits,
    answer_collection_similar,
    answer_openapi,
    answer_healthz,
    answer_readyz,
    answer_accounts_list,
    answer_accounts_create,
    answer_account_show,
    answer_account_update,
    answer_account_delete,
    answer_keys_list,
    answer_keys_create,
    answer_key_revoke,
    answer_sessions_create,
    answer_calls,
    answer_usage,
    answer_backup,
};

std::string_view query_of(std::string_view target) {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
}

/// What a call record names the route by (C8).
std::string_view template_of(const table::RouteMatch& found) { return found.path.empty() ? "(unknown)" : found.path; }

std::int64_t seconds_until(std::int64_t end_ms, std::int64_t now_ms) {
  return end_ms <= now_ms ? 0 : (end_ms - now_ms + kSecondMs - 1) / kSecondMs;
}

/// C7.4: the IETF draft's fields, version 10; the month without `w` and `t`.
Headers rate_limit_headers(const RateState& rate, std::int64_t now_ms) {
  constexpr std::array<std::string_view, 3> kWindowSeconds{";w=60", ";w=86400", ""};
  std::string policy;
  std::string left;
  for (const auto& window : rate.left) {
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

/// catalog-api, Errors, rate_limited; C7.3.
Response refused_response(const RateState& rate, std::int64_t now_ms) {
  const Window window = *rate.refused;
  const RateState::Left& left = *rate.left[static_cast<std::size_t>(window)];
  const std::int64_t wait_s = std::clamp<std::int64_t>(seconds_until(left.resets_ms, now_ms), 1, kRetryAfterSecondsMax);
  const Error error{ErrorCode::rate_limited, "Over the limit of " + std::to_string(left.quota) + " calls in a " +
                                                 std::string(kWindowNames[static_cast<std::size_t>(window)]) + "."};
  Response response = json_response(429, table::kErrorType, table::ErrorView{error, window, left.resets_ms});
  response.headers.push_back({"Retry-After", std::to_string(wait_s)});
  return response;
}

void append(Headers& to, const Headers& headers) { to.insert(to.end(), headers.begin(), headers.end()); }

state::CallRecord begin_record(const Admitted& admitted, const std::string& method) {
  state::CallRecord record;
  record.account = admitted.account;
  record.key_id = admitted.key_id;
  record.at_ms = admitted.counted_ms;
  record.number = admitted.call_number;
  record.method = method;
  record.first_party = admitted.first_party;
  return record;
}

const Error kStateUnreachable{ErrorCode::unavailable, "The account store cannot be reached now; retry later."};

}  // namespace

std::variant<Response, Admitted> ApiService::admit(const RequestHead& head) {
  Admitted admitted;
  admitted.began_ms = parts_.clock.now_ms();
  if (is_public(head)) return admitted;
  if (auto refusal = refuse_path(head)) return *std::move(refusal);
  const auto token = bearer_token(head.headers, kKeyWords);
  if (!token) return error_response(token.error());
  try {
    const state::Admission admission = accounts_->admit(*token);
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
    return refuse(admitted, head, refused_response(*admission.rate, admission.now_ms));
  } catch (const sql::Failure& fault) {
    if (report_fault_) report_fault_(fault.what());
    return error_response(kStateUnreachable);
  }
}

Response ApiService::answer(const Admitted& admitted, const Request& request) {
  if (admitted.account.empty()) return dispatch(Surface::open, admitted, request, nullptr);
  state::CallRecord record = begin_record(admitted, request.head.method);
  Response response = dispatch(Surface::api, admitted, request, &record);
  end_record(admitted, response, std::move(record));
  return response;
}

Response ApiService::refuse(const Admitted& admitted, const RequestHead& head, Response response) {
  if (admitted.account.empty()) return response;
  state::CallRecord record = begin_record(admitted, head.method);
  record.route = template_of(table::find_route(Surface::api, head.method, path_of(head.target)));
  end_record(admitted, response, std::move(record));
  return response;
}

void ApiService::end_record(const Admitted& admitted, Response& response, state::CallRecord record) {
  append(response.headers, admitted.headers);
  record.status = response.status;
  record.duration_ms = std::max<std::int64_t>(parts_.clock.now_ms() - admitted.began_ms, 0);
  accounts_->record(std::move(record));
}

std::optional<Response> ApiService::refuse_admin(const RequestHead& head) {
  const auto token = bearer_token(head.headers, kAdminWords);
  if (!token) return error_response(token.error());
  if (is_admin_token(*token)) return std::nullopt;
  return error_response({ErrorCode::invalid_api_key, std::string(kAdminWords.invalid)});
}

Response ApiService::handle_admin(const Request& request) {
  if (auto refusal = refuse_admin(request.head)) return *std::move(refusal);
  return dispatch(Surface::admin, {}, request, nullptr);
}

bool ApiService::is_admin_token(std::string_view token) {
  const Sha256 given = parts_.hashing.sha256(token);
  std::uint32_t difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i) difference |= std::uint32_t{given[i]} ^ admin_token_hash_[i];
  return difference == 0;
}

Response ApiService::dispatch(Surface surface, const Admitted& admitted, const Request& request,
                              state::CallRecord* record) {
  const auto found = table::find_route(surface, request.head.method, path_of(request.head.target));
  if (record != nullptr) record->route = template_of(found);
  if (found.path.empty()) {
    return error_response({ErrorCode::not_found, "There is no such route."});
  }
  if (found.route == nullptr) {
    Response response = error_response(
        {ErrorCode::method_not_allowed,
         text::quotable(request.head.method) + " is not supported here; supported are " + found.allow + '.'});
    response.headers.push_back({"Allow", found.allow});
    return response;
  }
  const std::shared_ptr<const Catalog> catalog = parts_.catalog();
  Response response;
  try {
    Answer answer = run(found, admitted, request, catalog, record);
    response = answer ? std::move(*answer) : error_response(answer.error());
  } catch (const sql::Failure& fault) {
    if (report_fault_) report_fault_(fault.what());
    response = error_response({ErrorCode::unavailable, "The service cannot answer now; retry later."});
  }
  // C4.5: every catalog answer says which version it is from.
  if (found.route->needs_catalog != table::NeedsCatalog::no && catalog != nullptr) {
    response.headers.push_back({"Tonearm-Catalog", catalog->version()});
    if (response.status == 200 && found.route->needs_catalog == table::NeedsCatalog::yes) {
      for (Header& header : response.headers) {
        if (header.name == "Cache-Control") header.value = kRevalidate;
      }
      response.headers.push_back({"ETag", entity_tag(*catalog)});
    }
  }
  return response;
}

Answer ApiService::run(const table::RouteMatch& found, const Admitted& admitted, const Request& request,
                       const std::shared_ptr<const Catalog>& catalog, state::CallRecord* record) {
  const table::Route& route = *found.route;
  if (route.needs_catalog != table::NeedsCatalog::no && catalog == nullptr) {
    return Error{ErrorCode::unavailable, "The catalog is not available now; retry later."};
  }
  // Probes add whatever they like to the public paths; everywhere else an unknown parameter is refused (C2.2).
  const std::string_view query = route.surface == Surface::open ? std::string_view{} : query_of(request.head.target);
  auto values = parse_query(query, route.query);
  if (!values) return values.error();
  Call call{request,    admitted,     route,        found.arguments, std::move(*values), catalog,
            *accounts_, collections_, parts_.store, cache_,          parts_.backup};
  Answer answer = kAnswers[static_cast<std::size_t>(route.id)](call);
  if (record != nullptr) {
    record->result_count = call.result_count;
    record->search_text = std::move(call.search_text);
  }
  return answer;
}

Response json_response(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}}, std::move(body)};
}

}  // namespace api

std::unique_ptr<Service> Service::make(const Parts& parts, const ServiceOptions& options) {
  return std::make_unique<api::ApiService>(
      parts, options,
      state::Accounts::open({parts.clock, parts.random, parts.hashing, parts.store}, options.key_secret));
}

}  // namespace tonearm
