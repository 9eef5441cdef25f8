#pragma once
// Reads and writes the rows of collections. Each function runs in the caller's transaction and is about one account.
// They throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "state/collections/collections.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// A collection with the sort keys of its items.
struct LoadedCollection {
  StoredCollection stored;
  std::vector<std::int64_t> sort_keys;
};

/// `catalog_version`: the version that `license_changed` and `missing` are about; empty: there is no catalog.
std::vector<CollectionSummary> read_summaries(sql::Transaction& transaction, const std::string& account,
                                              const std::string& catalog_version);
/// Whether an item's receipt is loaded, or only whether there is one.
enum class ReceiptTexts : std::uint8_t { omitted, loaded };
std::optional<LoadedCollection> load_collection(sql::Transaction& transaction, const std::string& account,
                                                const std::string& id, ReceiptTexts texts = ReceiptTexts::omitted);
/// Returns the receipts of a collection, in the order of its items. Empty: the collection does not exist.
std::optional<std::vector<std::string>> read_receipts(sql::Transaction& transaction, const std::string& account,
                                                      const std::string& id);

/// Returns collections that have items but no check with that version, the most recently changed first, with the terms
/// that a check compares (ITEM-3). They have at most `items_max` items together. REQUIRES: `items_max` is at least the
/// size of the largest collection.
std::vector<UncheckedCollection> read_unchecked(sql::Transaction& transaction, const std::string& account,
                                                const std::string& catalog_version, std::size_t items_max);
/// Empty: the item does not exist.
std::optional<LicenseRecord> read_record(sql::Transaction& transaction, const std::string& account,
                                         const std::string& collection_id, const std::string& track_id);
/// Empty: the collection does not exist.
std::optional<std::int64_t> read_revision(sql::Transaction& transaction, const std::string& account,
                                          const std::string& id);

/// The values that the limits on creating collections depend on (COLLECTION-9).
struct CreationFacts {
  Plan plan = Plan::free;
  std::size_t collections = 0;
  std::size_t creations = 0;  // after `since_ms`, deleted collections included
  /// If the limit is reached: the time of the creation that must leave the window before another is allowed. Else 0.
  std::int64_t blocking_creation_ms = 0;
};
/// Empty: the account does not exist.
std::optional<CreationFacts> read_creation_facts(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t since_ms);
/// Records a creation, and deletes the records up to `since_ms`.
void record_creation(sql::Transaction& transaction, const std::string& account, const std::string& id,
                     std::int64_t now_ms, std::int64_t since_ms);

/// Inserts a collection without items, as the most recently changed one.
void insert_collection(sql::Transaction& transaction, const std::string& account, const Collection& collection);
/// Inserts an item with its license record. REQUIRES: the collection does not have it.
void insert_item(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 const CollectionItem& item, std::int64_t sort_key);
/// Writes the rows that differ between `before` and `after`, and makes the collection the most recently changed one.
void save_collection(sql::Transaction& transaction, const std::string& account, const LoadedCollection& before,
                     const Collection& after);
/// Empty: the collection does not exist.
std::optional<DeletedCollection> delete_collection(sql::Transaction& transaction, const std::string& account,
                                                   const std::string& id);

}  // namespace tonearm::state
