#pragma once
// The types of the items of a collection and of what was recorded of their licenses (C6.3, C6.4).

#include <cstddef>
#include <optional>
#include <string_view>

#include "domain/collection.h"
#include "table/types.h"

namespace tonearm::table {

struct ItemView {
  const CollectionItem& item;
  std::size_t position = 0;
  std::optional<std::string_view> track = std::nullopt;  // as JSON; none: the catalog has it no longer
  bool license_changed = false;
};

extern const ObjectType kItemType;             // of ItemView
extern const ObjectType kRecordedLicenseType;  // of LicenseRecord

}  // namespace tonearm::table
