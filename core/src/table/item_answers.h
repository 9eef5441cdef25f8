#pragma once
// The types of the items of a collection and of their license records (ITEM-1, ITEM-2).

#include <cstddef>
#include <optional>
#include <string_view>

#include "domain/collection.h"
#include "reflection/object_type.h"

namespace tonearm::table {

struct ItemView {
  const CollectionItem& item;
  std::size_t position = 0;
  std::optional<std::string_view> track = std::nullopt;  // as JSON; absent if the catalog no longer has it
  bool license_changed = false;
};

extern const Type<ItemView> kItemType;
extern const Type<LicenseRecord> kRecordedLicenseType;
/// Only license, terms and attribution.
extern const Type<LicenseRecord> kStatedLicenseType;

}  // namespace tonearm::table
