#pragma once
// One call of a route: the checked request, and what the route's function needs to answer it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/requests/answer_cache.h"
#include "api/requests/query_string.h"
#include "api/requests/routes.h"
#include "reflection/object_type.h"
#include "state/accounts/account_administration.h"
#include "state/accounts/account_transfer.h"
#include "state/calls/call_log.h"
#include "state/collections/collections.h"
#include "state/readiness.h"
#include "state/take_downs/take_downs.h"
#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"

namespace tonearm::api {

struct Call {
  const Request& request;
  const Admitted& admitted;
  const Route& route;
  std::vector<std::string> path_values;    // the decoded values of {names} in the path
  Values values;                           // of the query string, checked
  std::shared_ptr<const Catalog> catalog;  // null if the route does not need it (Route::needs)
  state::AccountAdministration& accounts;
  state::AccountTransfer& transfer;
  state::CallLog& call_log;
  state::Collections& collections;
  state::TakeDowns& take_downs;
  sql::Store& store;
  Hashing& hashing;
  state::Readiness& readiness;
  AnswerCache& cache;
  /// For routes that do without a catalog: null if there is none. Throws Failure if it cannot be read.
  const std::function<std::shared_ptr<const Catalog>()>& optional_catalog;
  /// With the tracks that were taken down. Never waits.
  const std::function<std::shared_ptr<const Catalog>()>& served_catalog;
  const std::function<std::shared_ptr<BodySource>()>& backup;  // empty: the state cannot be copied
  bool shares_body = false;                                    // whether to answer with Response::shared_body

  /// The writer for changes to collections (KEY-13).
  state::Writer writer() const { return {admitted.account, admitted.key_id}; }

  /// Whether the answer is that of `cached_answer`, unchanged: only bytes that were verified when they were cached.
  bool is_cached = false;

  // For the call record (RECORD-1).
  std::optional<std::uint32_t> result_count = std::nullopt;
  std::optional<std::string> search_text = std::nullopt;

  // For the audit log (ADMIN-7).
  std::string audit_detail{};      // the requested plan or lifetime
  std::string audit_created_id{};  // the id of the created account or key
};

/// The client may cache the answer, and must revalidate it with its ETag before each use.
inline constexpr std::string_view kRevalidate = "private, no-cache";

// Error messages that several modules use.

/// The error if there is no catalog, or if its file was changed (HOST-27).
Error catalog_unavailable();
/// CHECK-5: the answer 405.
Response method_not_allowed(std::string_view method, const std::string& allowed);

/// Builds a response that clients must not store.
Response json_response(int status, std::string body);

template <class View>
Response json_response(int status, const table::Type<View>& type, const std::type_identity_t<View>& view) {
  return json_response(status, to_json(type, view));
}

/// Answers JSON Lines that a client saves as a file of that name.
Response json_lines_response(std::string lines, std::string_view file_name);

/// Returns the strong validator of all catalog answers. The bytes of such an answer depend only on its URL, the
/// snapshot with its signature, the tracks taken down since, and the revision of the representation.
std::string entity_tag(const Catalog& catalog);

/// Returns the cached answer, or calls `make()` for a Response with status 200 and caches it.
template <class Make>
Response cached_answer(Call& call, const Make& make) {
  const std::string key = answer_key(call.route.path, call.catalog->revision(), call.values);
  if (const auto found = call.cache.find(key)) {
    call.result_count = found->result_count;
    call.is_cached = true;
    Response response = json_response(200, std::string());
    if (call.shares_body) {
      response.shared_body = found->body;
    } else {
      response.body = *found->body;
    }
    return response;
  }
  Response response = make();
  if (!call.catalog->is_unchanged()) return response;  // it is not sent (CallHandler)
  call.cache.insert(key, {std::make_shared<const std::string>(response.body), call.result_count});
  return response;
}

/// Returns the answer 304 if If-None-Match names the validator, else nothing.
std::optional<Response> not_modified(const Call& call);

}  // namespace tonearm::api
