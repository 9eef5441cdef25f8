#pragma once
// The type of an account's own view of its limits and calls (LIMIT-15), and the plain values that it is written from.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "domain/plan.h"
#include "reflection/object_type.h"

namespace tonearm::table {

struct LimitLeft {
  Window window = Window::minute;
  std::uint32_t quota = 0;
  std::uint32_t remaining = 0;
  std::int64_t resets_ms = 0;  // Unix milliseconds
};
struct DayCalls {
  std::int64_t day_begin_ms = 0;
  std::uint64_t calls = 0;
};
struct OwnUsageView {
  Plan plan = Plan::free;
  std::vector<LimitLeft> limits;
  std::vector<DayCalls> days;
  std::uint32_t keys = 0;
  std::size_t collections = 0;
};

extern const Type<OwnUsageView> kOwnUsageType;

}  // namespace tonearm::table
