#pragma once
// Results of comparing collections with a version of the catalog (COLLECTION-14), stored so that each collection is
// compared once with each version. A check is valid only for the revision, number of items and version that it names.
// Each function runs in the caller's transaction, is about one account, and throws sql::Failure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// An item whose license has changed, or which is missing in the catalog.
struct ChangedItem {
  std::string track_id;
  bool missing = false;

  friend bool operator==(const ChangedItem&, const ChangedItem&) = default;
};

/// A collection as it was compared.
struct ComparedCollection {
  std::string id;
  std::int64_t revision = 1;
  std::size_t track_count = 0;
};

struct LicenseCheck {
  ComparedCollection collection;
  std::vector<ChangedItem> changed;  // in the order of the collection
};

/// The part of an item that a check compares.
struct RecordedTerms {
  std::string track_id;
  LicenseTerms terms;
};
struct UncheckedCollection {
  ComparedCollection collection;
  std::vector<RecordedTerms> items;  // in the order of the collection
};

/// SQL that joins `collections c` to its valid check `k` with the catalog version ?2.
inline constexpr const char* kCurrentCheckJoin =
    " JOIN license_checks k ON k.account = c.account AND k.collection_id = c.collection_id AND k.revision = c.revision"
    " AND k.track_count = c.track_count AND k.catalog_version = ?2";

/// Does nothing if the collection has changed or was deleted.
void save_check(sql::Transaction& transaction, const std::string& account, const std::string& catalog_version,
                const LicenseCheck& check);
void delete_check(sql::Transaction& transaction, const std::string& account, const std::string& collection_id);

/// A changed item with its record.
struct LicenseChange {
  std::string collection_id;
  std::string collection_name;
  std::string track_id;
  LicenseRecord recorded;
  bool missing = false;
};
struct LicenseChangesPage {
  std::vector<LicenseChange> changes;
  std::uint64_t total = 0;
  std::size_t unchecked = 0;  // collections that were not compared yet, and are not included
};
/// Sorted by collection, the most recently changed first, then by position.
LicenseChangesPage read_license_changes(sql::Transaction& transaction, const std::string& account,
                                        const std::string& catalog_version, std::uint32_t limit, std::uint32_t offset);

}  // namespace tonearm::state
