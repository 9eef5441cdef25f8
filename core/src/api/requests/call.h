#pragma once
// One call on its way through a route: what was asked, and what the function behind the route needs to answer.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/requests/answer_cache.h"
#include "api/requests/query_string.h"
#include "api/requests/routes.h"
#include "reflection/object_type.h"
#include "state/accounts.h"
#include "state/collections.h"
#include "state/readiness.h"
#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"

namespace tonearm::api {

struct Call {
  const Request& request;
  const Admitted& admitted;
  const Route& route;
  std::vector<std::string> names;          // of the path, decoded
  Values values;                           // of the query string, checked
  std::shared_ptr<const Catalog> catalog;  // never null where the route needs it
  state::Accounts& accounts;
  state::Collections& collections;
  sql::Store& store;
  state::Readiness& readiness;
  AnswerCache& cache;
  const std::function<std::shared_ptr<BodySource>()>& backup;  // empty: the state is none that can be copied
  bool shares_body = false;                                    // of the cache, with Response::shared_body

  /// For what it writes (KEY-13).
  state::Writer writer() const { return {admitted.account, admitted.key_id}; }

  // What the call record takes from the answer (RECORD-1).
  std::optional<std::uint32_t> result_count = std::nullopt;
  std::optional<std::string> search_text = std::nullopt;

  // What the audit log takes from a call of the admin interface (ADMIN-7).
  std::string act_detail{};   // what was asked for
  std::string act_created{};  // the id of what was made
};

/// May be kept by the client that asked, and is to be checked with its ETag before each use.
inline constexpr std::string_view kRevalidate = "private, no-cache";

/// Where there is no catalog, or its file is being changed (HOST-27).
Error catalog_unavailable();

/// Not to be stored, unless the caller says otherwise.
Response json_response(int status, std::string body);

template <class View>
Response json_response(int status, const table::Type<View>& type, const std::type_identity_t<View>& view) {
  return json_response(status, to_json(type, view));
}

/// The strong validator of everything that the catalog answers: the bytes of an answer follow from its URL, the
/// snapshot and the form in which this version of the service writes it.
std::string entity_tag(const Catalog& catalog);

/// The answer from the cache, or the one that `make()` gives (a Response with status 200), which is kept.
template <class Make>
Response cached_answer(Call& call, const Make& make) {
  const std::string key = answer_key(call.route.path, call.catalog->version(), call.values);
  if (const auto found = call.cache.find(key)) {
    call.result_count = found->result_count;
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
  call.cache.keep(key, {std::make_shared<const std::string>(response.body), call.result_count});
  return response;
}

/// The answer to a request whose If-None-Match names that validator, or nothing.
std::optional<Response> not_modified(const Call& call);

}  // namespace tonearm::api
