// Collections as a whole: list, create, show, change, delete (docs/spec/collections.md).

#include <algorithm>

#include "api/answers/collection_detail.h"
#include "api/resources/handlers.h"
#include "api/resources/license_changes.h"
#include "table/collection_answers.h"

namespace tonearm::api {
namespace {

Error deletion_not_confirmed() {
  return {ErrorCode::invalid_request,
          "Deleting a collection cannot be undone: confirm it with the parameter confirm=true or the header "
          "\"X-Confirm: true\".",
          0, "confirm"};
}

/// COLLECTION-8: the parameter or the header may confirm the deletion.
bool is_confirmed(const Call& call, const table::CollectionDeleteArguments& arguments) {
  if (arguments.confirm) return true;
  const auto& headers = call.request.head.headers;
  return std::any_of(headers.begin(), headers.end(), [](const Header& header) {
    return is_named(header, table::kConfirmHeader) && header.value == "true";
  });
}

}  // namespace

Answer answer_collections_list(Call& call) {
  try {
    call.catalog = call.optional_catalog();
  } catch (const Failure&) {  // the list is answered without one
  }
  update_license_checks(call);
  const bool has_catalog = call.catalog != nullptr && call.catalog->is_unchanged();
  const auto collections =
      call.collections.list(call.admitted.account, has_catalog ? call.catalog->revision() : std::string());
  call.result_count = static_cast<std::uint32_t>(collections.size());
  return json_response(200, table::kCollectionsType, {collections});
}

Answer answer_collection_create(Call& call, const table::CollectionBody& body) {
  const auto created = call.collections.create(call.writer(), {body.name, body.commercial});
  if (!created) return created.error();
  CollectionLookup tracks(call);
  return CollectionDetail(*created, tracks).response_to_write(call, call.route.status);
}

Answer answer_collection_show(Call& call, const table::CollectionArguments& arguments) {
  const auto found = call.collections.find(call.admitted.account, arguments.id);
  if (!found) return found.error();
  CollectionLookup tracks(call);
  const CollectionDetail detail(*found, tracks);
  const std::vector<CreditEntry> entries = detail.credit_entries();
  call.result_count = static_cast<std::uint32_t>(entries.size());
  return json_response(200, detail.json_with_credits({credits_text(entries), count_credits(entries)}));
}

Answer answer_collection_update(Call& call, const table::CollectionArguments& arguments,
                                const table::CollectionChangeBody& body) {
  const Edit edit{.revision = body.revision};
  CollectionLookup tracks(call);
  while (true) {
    // Reads the current licenses before the transaction, which must not read the catalog. If the collection has another
    // revision in the transaction, everything is repeated.
    const auto found = call.collections.find(call.admitted.account, arguments.id);
    if (!found) return found.error();
    const std::set<std::string> non_commercial_now = CollectionDetail(*found, tracks).non_commercial_now();
    if (!call.catalog->is_unchanged()) return catalog_unavailable();  // HOST-27: before licenses decide
    bool outdated = false;
    const auto change = [&](const Collection& collection, const Edit& now) -> Result<Collection> {
      outdated = collection.revision != found->value.revision;
      if (outdated) return collection;
      return with_settings(collection, now, body.settings, non_commercial_now);
    };
    const auto changed = call.collections.change(call.writer(), arguments.id, edit, change);
    if (!changed) return changed.error();
    if (!outdated) return CollectionDetail(*changed, tracks).response_to_write(call, call.route.status);
  }
}

Answer answer_collection_delete(Call& call, const table::CollectionDeleteArguments& arguments) {
  if (!is_confirmed(call, arguments)) return deletion_not_confirmed();
  const auto deleted = call.collections.remove(call.writer(), arguments.id, arguments.revision);
  if (!deleted) return deleted.error();
  return json_response(200, table::kCollectionDeletedType, *deleted);
}

}  // namespace tonearm::api
