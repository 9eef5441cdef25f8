#pragma once
// The type of the list of license changes (COLLECTION-14), and the structs with its values.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/collection.h"
#include "reflection/object_type.h"
#include "state/collections/license_checks.h"

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

extern const Type<LicenseChangesView> kLicenseChangesType;

}  // namespace tonearm::table
