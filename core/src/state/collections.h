#pragma once
// Collections as they are stored (docs/spec/collections.md). A change loads a collection, applies a pure operation to
// it and saves it, all in one transaction: of two writers that name the same revision exactly one wins. Safe for
// concurrent calls. Everything that was answered is durable. Throws sql::Failure.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "state/license_checks.h"
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
  // COLLECTION-14; none: it was not compared with this version of the catalog yet.
  std::optional<std::size_t> license_changed = std::nullopt;
  std::optional<std::size_t> missing = std::nullopt;
};

/// A collection, and whether its owner may change it now.
struct StoredCollection {
  Collection value;
  bool read_only = false;

  CollectionSummary summary() const;
};

/// Who writes: the account, and the key that its call was admitted with.
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

/// Gives the changed collection; the same one where nothing changes. Runs within a transaction, perhaps more than once:
/// it looks at nothing but its arguments and what was read before.
using CollectionChange = std::function<Result<Collection>(const Collection& collection, const Edit& edit)>;

class Collections {
 public:
  /// All of them outlive the object. REQUIRES: transactions of the store are serializable.
  struct Dependencies {
    Clock& clock;
    Random& random;
    sql::Store& store;
  };
  explicit Collections(const Dependencies& dependencies) : dependencies_(dependencies) {}

  /// All of an account, the one that was changed last first (COLLECTION-2). `catalog_version`: with which they are to
  /// have been compared; empty: there is no catalog.
  std::vector<CollectionSummary> list(const std::string& account, const std::string& catalog_version = {});
  std::size_t count(const std::string& account);
  /// Errors: not_found, also for one of another account.
  Result<StoredCollection> find(const std::string& account, const std::string& id);

  // Writes. Errors of each: invalid_api_key where the writer's key ended, or its account went, since the call was
  // admitted (KEY-13); it is looked up in the transaction that writes.

  /// REQUIRES: the name is trimmed, is_collection_name. Errors: pro_required, collection_limit.
  Result<StoredCollection> create(const Writer& writer, const NewCollection& wanted);
  /// `edit.read_only` and `edit.now_s` are set here. Errors: not_found, and those of `change`.
  Result<StoredCollection> change(const Writer& writer, const std::string& id, const Edit& edit,
                                  const CollectionChange& change);
  /// Also one that is read-only (COLLECTION-10). `revision`: the one that the request names. Errors: not_found,
  /// stale_revision.
  Result<DeletedCollection> remove(const Writer& writer, const std::string& id,
                                   std::optional<std::int64_t> revision = std::nullopt);

  // What came of comparing collections with a version of the catalog (COLLECTION-14).

  /// Some of the collections that have items and were not compared with it yet, the ones changed last first: as many as
  /// have `items_max` items together, which is at least as many as one may have.
  std::vector<UncheckedCollection> unchecked(const std::string& account, const std::string& catalog_version,
                                             std::size_t items_max);
  /// Of a collection that was changed since then nothing is kept.
  void keep_checks(const std::string& account, const std::string& catalog_version,
                   const std::vector<LicenseCheck>& checks);
  LicenseChangesPage license_changes(const std::string& account, const std::string& catalog_version,
                                     std::uint32_t limit, std::uint32_t offset);

 private:
  Dependencies dependencies_;
};

}  // namespace tonearm::state
