#pragma once
// The type of an account's own limits and calls (LIMIT-15), and the structs with its values.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "domain/plan.h"
#include "reflection/object_type.h"

namespace tonearm::table {

struct DayCalls {
  std::int64_t day_begin_ms = 0;
  std::uint64_t calls = 0;
};
struct OwnUsageView {
  Plan plan = Plan::free;
  std::vector<RateState::Limit> limits;
  std::vector<DayCalls> days;
  std::uint32_t keys = 0;
  std::size_t collections = 0;
};

extern const Type<OwnUsageView> kOwnUsageType;

}  // namespace tonearm::table
