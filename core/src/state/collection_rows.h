#pragma once
// Collections as rows: one function a question, each within the caller's transaction, each about one account. Throw
// sql::Failure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "state/collections.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// A collection with the sort keys of its items, which say their order.
struct LoadedCollection {
  StoredCollection stored;
  std::vector<std::int64_t> sort_keys;
};

/// `catalog_version`: with what `license_changed` and `missing` are to be compared; empty: there is no catalog.
std::vector<CollectionSummary> read_summaries(sql::Transaction& transaction, const std::string& account,
                                              const std::string& catalog_version);
std::optional<LoadedCollection> load_collection(sql::Transaction& transaction, const std::string& account,
                                                const std::string& id);

/// The collections that have items but no check with that version, the one changed last first, with what of their items
/// is compared (ITEM-3): as many as have `items_max` items together. That is at least as many as one may have.
std::vector<UncheckedCollection> read_unchecked(sql::Transaction& transaction, const std::string& account,
                                                const std::string& catalog_version, std::size_t items_max);
/// Empty: there is no such item.
std::optional<LicenseRecord> read_record(sql::Transaction& transaction, const std::string& account,
                                         const std::string& collection_id, const std::string& track_id);
/// Empty: there is no such collection.
std::optional<std::int64_t> read_revision(sql::Transaction& transaction, const std::string& account,
                                          const std::string& id);

/// What the limits on creating are about (COLLECTION-9).
struct CreationFacts {
  Plan plan = Plan::free;
  std::size_t collections = 0;
  std::size_t creations = 0;  // after `since_ms`, deleted collections included
  /// When the one was made that has to grow old before there is room for another; 0: there is room.
  std::int64_t last_in_the_way_ms = 0;
};
/// Empty: there is no such account.
std::optional<CreationFacts> read_creation_facts(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t since_ms);
/// Notes a creation, and drops the notes up to `since_ms`.
void note_creation(sql::Transaction& transaction, const std::string& account, const std::string& id,
                   std::int64_t now_ms, std::int64_t since_ms);

/// A collection without items, changed last.
void insert_collection(sql::Transaction& transaction, const std::string& account, const Collection& collection);
/// An item that the collection does not have, with its license record.
void insert_item(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 const CollectionItem& item, std::int64_t sort_key);
/// Writes the rows in which `after` differs, and makes it the one that was changed last.
void save_collection(sql::Transaction& transaction, const std::string& account, const LoadedCollection& before,
                     const Collection& after);
/// Empty: there is no such collection.
std::optional<DeletedCollection> delete_collection(sql::Transaction& transaction, const std::string& account,
                                                   const std::string& id);

}  // namespace tonearm::state
