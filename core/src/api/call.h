#pragma once
// One call on its way through a route: what was asked, and what the route's function needs to answer.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/answer_cache.h"
#include "api/query_string.h"
#include "state/accounts.h"
#include "state/collections.h"
#include "table/routes.h"
#include "table/types.h"
#include "tonearm/http.h"
#include "tonearm/service.h"

namespace tonearm::api {

struct Call {
  const Request& request;
  const Admitted& admitted;
  const table::Route& route;
  std::vector<std::string> arguments;      // of the path, decoded
  Values values;                           // of the query string, checked
  std::shared_ptr<const Catalog> catalog;  // never null where the route needs it
  state::Accounts& accounts;
  state::Collections& collections;
  sql::Store& store;
  AnswerCache& cache;
  const std::function<std::shared_ptr<BodySource>()>& backup;  // empty: the state is none that can be copied

  // What the call record takes from the answer (C8).
  std::optional<std::uint32_t> result_count = std::nullopt;
  std::optional<std::string> search_text = std::nullopt;
};

using Answer = Result<Response>;

/// May be kept by the client that asked, and is to be checked with its ETag before each use.
inline constexpr std::string_view kRevalidate = "private, no-cache";

/// Not to be stored, unless the caller says otherwise.
Response json_response(int status, std::string body);

template <class View>
Response json_response(int status, const table::ObjectType& type, const View& view) {
  json::Writer out;
  table::write_object(out, type, &view);
  return json_response(status, out.take());
}

/// The strong validator of everything that the catalog answers: the bytes of an answer follow from its URL, the
/// snapshot and the form in which this version of the service writes it.
std::string entity_tag(const Catalog& catalog);

/// The answer from the cache, or the one that `make()` gives (a Response with status 200), which is kept.
template <class Make>
Response cached_answer(Call& call, const Make& make) {
  const std::string key = answer_key(call.route.id, call.catalog->version(), call.values);
  if (const auto found = call.cache.find(key)) {
    call.result_count = found->result_count;
    return json_response(200, found->body);
  }
  Response response = make();
  call.cache.keep(key, {response.body, call.result_count});
  return response;
}

/// The answer to a request whose If-None-Match names that validator, or nothing.
std::optional<Response> not_modified(const Call& call);

// One function for each route (core/src/api, a file a resource).
Answer answer_search(Call& call);
Answer answer_meta(Call& call);
Answer answer_track(Call& call);
Answer answer_similar(Call& call);
Answer answer_collections_list(Call& call);
Answer answer_collection_create(Call& call);
Answer answer_collection_show(Call& call);
Answer answer_collection_update(Call& call);
Answer answer_collection_delete(Call& call);
Answer answer_items_add(Call& call);
Answer answer_item_update(Call& call);
Answer answer_item_delete(Call& call);
Answer answer_order_replace(Call& call);
Answer answer_credits(Call& call);
Answer answer_collection_similar(Call& call);
Answer answer_openapi(Call& call);
Answer answer_healthz(Call& call);
Answer answer_readyz(Call& call);
Answer answer_accounts_list(Call& call);
Answer answer_accounts_create(Call& call);
Answer answer_account_show(Call& call);
Answer answer_account_update(Call& call);
Answer answer_account_delete(Call& call);
Answer answer_keys_list(Call& call);
Answer answer_keys_create(Call& call);
Answer answer_key_revoke(Call& call);
Answer answer_sessions_create(Call& call);
Answer answer_calls(Call& call);
Answer answer_usage(Call& call);
Answer answer_backup(Call& call);

}  // namespace tonearm::api
