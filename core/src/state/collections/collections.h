#pragma once
// Stored collections (docs/spec/collections.md). A change loads a collection, applies a pure function to it and saves
// it, all in one transaction, so that of two writers with the same revision exactly one succeeds. Changes are durable
// when the function returns. Safe for concurrent calls. Throws sql::Failure.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "state/collections/license_checks.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct CollectionSummary {
  std::string id;
  std::string name;
  bool commercial = false;
  std::int64_t revision = 1;
  bool read_only = false;  // COLLECTION-10
  std::size_t track_count = 0;
  std::int64_t created_s = 0;  // Unix seconds
  std::int64_t updated_s = 0;
  // COLLECTION-14; none: the collection was not compared with this version of the catalog yet.
  std::optional<std::size_t> license_changed = std::nullopt;
  std::optional<std::size_t> missing = std::nullopt;
};

/// A collection, and whether it is read-only at present.
struct StoredCollection {
  Collection value;
  bool read_only = false;

  CollectionSummary summary() const;
};

/// The account that writes, and the key with which its call was admitted.
struct Writer {
  std::string account;
  std::string key_id;
};

struct NewCollection {
  std::string name;
  bool commercial = false;
};

struct DeletedCollection {
  std::size_t items = 0;
  std::size_t license_records = 0;
};

/// Returns the changed collection, or an equal one if nothing changes. It runs in a transaction and may be replayed, so
/// it depends only on its arguments and on values read before.
using CollectionChange = std::function<Result<Collection>(const Collection& collection, const Edit& edit)>;

class Collections {
 public:
  /// All of them outlive the object. REQUIRES: transactions of the store are serializable.
  struct Dependencies {
    Clock& clock;
    Random& random;
    sql::Store& store;
    bool stores_tracks = false;  // HOST-63
  };
  explicit Collections(const Dependencies& dependencies) : dependencies_(dependencies) {}

  /// Returns all collections of an account, the most recently changed first (COLLECTION-2). `catalog_version`: the one
  /// that `license_changed` and `missing` are about; empty: there is no catalog.
  std::vector<CollectionSummary> list(const std::string& account, const std::string& catalog_version = {});
  std::size_t count(const std::string& account);
  /// Errors: not_found, also for a collection of another account.
  Result<StoredCollection> find(const std::string& account, const std::string& id);

  /// Returns the license receipts of a collection, as JSON, in the order of its items (RECEIPT-8). Errors: as `find`.
  Result<std::vector<std::string>> receipts(const std::string& account, const std::string& id);

  // Writes. Errors of each: invalid_api_key if the writer's key was revoked or expired, or its account was deleted,
  // since the call was admitted (KEY-13). The key is looked up in the transaction that writes.

  /// REQUIRES: the name is trimmed, is_collection_name. Errors: pro_required, collection_limit.
  Result<StoredCollection> create(const Writer& writer, const NewCollection& collection);
  /// Sets `edit.read_only` and `edit.now_s` itself. Errors: not_found, and those of `change`.
  Result<StoredCollection> change(const Writer& writer, const std::string& id, const Edit& edit,
                                  const CollectionChange& change);
  /// Deletes a collection, even a read-only one (COLLECTION-10). `revision`: the one in the request. Errors: not_found,
  /// stale_revision.
  Result<DeletedCollection> remove(const Writer& writer, const std::string& id,
                                   std::optional<std::int64_t> revision = std::nullopt);

  // Results of comparing collections with a version of the catalog (COLLECTION-14).

  /// Returns collections that have items and were not compared with that version yet, the most recently changed first.
  /// They have at most `items_max` items together. REQUIRES: `items_max` is at least the size of the largest
  /// collection.
  std::vector<UncheckedCollection> unchecked(const std::string& account, const std::string& catalog_version,
                                             std::size_t items_max);
  /// Saves the checks, except those of collections that have changed since.
  void save_checks(const std::string& account, const std::string& catalog_version,
                   const std::vector<LicenseCheck>& checks);
  LicenseChangesPage license_changes(const std::string& account, const std::string& catalog_version,
                                     std::uint32_t limit, std::uint32_t offset);

  // The tracks of collections as a version of the catalog has them, in the caller's texts (HOST-63).

  /// Whether the host stores tracks with their collections.
  bool stores_tracks() const { return dependencies_.stores_tracks; }
  /// Returns what was saved last for the collection, if that was with this version.
  std::vector<std::string> track_texts(const std::string& account, const std::string& id,
                                       const std::string& catalog_version);
  /// Does nothing if the collection was deleted.
  void save_track_texts(const std::string& account, const std::string& id, const std::string& catalog_version,
                        const std::vector<std::string>& texts);

 private:
  Dependencies dependencies_;
};

}  // namespace tonearm::state
