#pragma once
// The types of lists of changes, and the structs with their values: the license changes of collections
// (COLLECTION-14) and the changes of the catalog (CHANGE-1).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/collection.h"
#include "reflection/object_type.h"
#include "state/collections/license_checks.h"
#include "tonearm/catalog_changes.h"

namespace tonearm::table {

struct LicenseChangeView {
  const state::LicenseChange& change;
  std::optional<LicenseRecord> current;  // absent if the catalog no longer has the track
};
struct LicenseChangesView {
  std::vector<LicenseChangeView> changes;
  std::uint64_t total = 0;
  std::optional<std::string> cursor;
  std::size_t unchecked = 0;
};

struct CatalogChangesView {
  ChangesPage page;
  std::string catalog_version;
  std::optional<std::string> cursor;
  std::vector<std::string> taken_down;
};

extern const Type<LicenseChangesView> kLicenseChangesType;
extern const Type<CatalogChangesView> kCatalogChangesType;

}  // namespace tonearm::table
