#pragma once
// The type of the credits of a collection as JSON (CREDIT-4), and the structs with its values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "domain/credits.h"
#include "reflection/object_type.h"
#include "state/collections/collections.h"
#include "table/item_answers.h"

namespace tonearm::table {

/// One entry of the credits as JSON.
struct CreditView {
  const CreditEntry& entry;
  const LicenseRecord& record;
};
struct CreditsView {
  const state::CollectionSummary& collection;
  std::string_view catalog_version;
  std::int64_t generated_ms = 0;
  std::vector<CreditView> credits;
  std::string text;
  std::uint32_t non_commercial = 0;
};

extern const Type<CreditsView> kCreditsType;

}  // namespace tonearm::table
