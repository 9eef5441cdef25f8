// Collections as a whole: list, create, show, change, delete (catalog-api, Collections; C6).

#include <algorithm>
#include <boost/json/object.hpp>

#include "api/body.h"
#include "api/call.h"
#include "api/collection_detail.h"
#include "table/collection_answers.h"

namespace tonearm::api {
namespace {

Settings settings_of(const boost::json::object& body) {
  Settings settings;
  if (const auto* name = body.if_contains("name")) settings.name = trimmed_name(name->get_string());
  if (const auto* commercial = body.if_contains("commercial")) settings.commercial = commercial->get_bool();
  return settings;
}

/// C6.14: the query or the header confirms.
bool is_confirmed(const Call& call) {
  if (call.values.boolean("confirm").value_or(false)) return true;
  const auto& headers = call.request.head.headers;
  return std::any_of(headers.begin(), headers.end(), [](const Header& header) {
    return is_named(header, table::kConfirmHeader) && header.value == "true";
  });
}

}  // namespace

Answer answer_collections_list(Call& call) {
  const auto collections = call.collections.list(call.admitted.account);
  call.result_count = static_cast<std::uint32_t>(collections.size());
  return json_response(200, table::kCollectionsType, table::CollectionsView{collections});
}

Answer answer_collection_create(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  const Settings settings = settings_of(*body);
  const auto created =
      call.collections.create(call.admitted.account, {*settings.name, settings.commercial.value_or(false)});
  if (!created) return created.error();
  KnownTracks none(*call.catalog);
  return json_response(call.route.status, CollectionDetail(*created, none).json());
}

Answer answer_collection_show(Call& call) {
  const auto found = call.collections.find(call.admitted.account, call.arguments[0]);
  if (!found) return found.error();
  KnownTracks known(*call.catalog);
  const CollectionDetail detail(*found, known);
  const std::vector<CreditEntry> entries = detail.credit_entries();
  call.result_count = static_cast<std::uint32_t>(entries.size());
  return json_response(200, detail.json_with({credits_text(entries), count_credits(entries)}));
}

Answer answer_collection_update(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  const Settings settings = settings_of(*body);
  const Edit edit{.revision = body->at("revision").get_int64()};
  KnownTracks known(*call.catalog);
  while (true) {
    // The licenses of the members as of now are read before the transaction, which may not read the catalog. The
    // transaction runs on the very revision that they were read for, or it is tried again.
    const auto found = call.collections.find(call.admitted.account, call.arguments[0]);
    if (!found) return found.error();
    const std::set<std::string> non_commercial_now = CollectionDetail(*found, known).non_commercial_now();
    bool outdated = false;
    const auto change = [&](const Collection& collection, const Edit& now) -> Result<Collection> {
      outdated = collection.revision != found->value.revision;
      if (outdated) return collection;
      return with_settings(collection, now, settings, non_commercial_now);
    };
    const auto changed = call.collections.change(call.admitted.account, call.arguments[0], edit, change);
    if (!changed) return changed.error();
    if (!outdated) return json_response(200, CollectionDetail(*changed, known).json());
  }
}

Answer answer_collection_delete(Call& call) {
  if (!is_confirmed(call)) {
    return Error{ErrorCode::invalid_request,
                 "Deleting a collection cannot be undone: confirm it with the parameter confirm=true or the header "
                 "\"X-Confirm: true\"."};
  }
  const auto deleted = call.collections.remove(call.admitted.account, call.arguments[0]);
  if (!deleted) return deleted.error();
  return json_response(200, table::kCollectionDeletedType, *deleted);
}

}  // namespace tonearm::api
