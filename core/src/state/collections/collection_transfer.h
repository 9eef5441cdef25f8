#pragma once
// Exports collections from one state and imports them into another (docs/spec/moving.md). Functions throw sql::Failure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/collection.h"
#include "state/import_transaction.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct ExportedCollection {
  Collection value;
  std::int64_t change_order = 0;  // its rank among the account's collections (COLLECTION-10)
};

struct ExportedCollections {
  std::vector<ExportedCollection> collections;  // by id
  std::string next;                             // more collections follow after this id; empty: none
};

struct ItemToImport {
  std::size_t position = 0;
  CollectionItem value;
};

/// One piece of an import: the collection's own row and a run of its items.
struct CollectionToImport {
  Collection value;  // without items
  std::int64_t change_order = 0;
  std::size_t track_count = 0;  // of the whole collection
  std::vector<ItemToImport> items;
};

/// Returns the collections after the id `after`, as they are in one transaction: about `bytes_max` of them, and at
/// least one if there is any. Empty: the account does not exist.
std::optional<ExportedCollections> export_collections(sql::Store& store, const std::string& account,
                                                      const std::string& after, std::size_t bytes_max);

/// Imports all or nothing, and returns how many rows are new. Importing the same piece again changes nothing. Items are
/// appended to those that the state has. Errors: not_found for the account, unless `mode` is check; invalid_request,
/// which names the row that differs.
Result<std::size_t> import_collections(sql::Store& store, const std::string& account,
                                       const std::vector<CollectionToImport>& collections, ImportMode mode);

}  // namespace tonearm::state
