#pragma once
// What came of comparing collections with a version of the catalog (COLLECTION-14), kept so that each is compared once
// with each. A check holds for the items that were compared: for another revision, number of items or version it says
// nothing. Functions run in the caller's transaction, each about one account, and throw sql::Failure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// An item whose license is another one by now, or that the catalog has no longer.
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

/// What of an item is compared.
struct RecordedTerms {
  std::string track_id;
  LicenseTerms terms;
};
struct UncheckedCollection {
  ComparedCollection collection;
  std::vector<RecordedTerms> items;  // in its order
};

/// SQL: joins `collections c` to its check `k` with the catalog version ?2, if the collection did not change since.
inline constexpr const char* kCheckInForce =
    " JOIN license_checks k ON k.account = c.account AND k.collection_id = c.collection_id AND k.revision = c.revision"
    " AND k.track_count = c.track_count AND k.catalog_version = ?2";

/// Nothing where the collection is another one by now, or gone.
void keep_check(sql::Transaction& transaction, const std::string& account, const std::string& catalog_version,
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
  std::size_t unchecked = 0;  // collections that this leaves out
};
/// By collection, the one changed last first, then by place.
LicenseChangesPage read_license_changes(sql::Transaction& transaction, const std::string& account,
                                        const std::string& catalog_version, std::uint32_t limit, std::uint32_t offset);

}  // namespace tonearm::state
