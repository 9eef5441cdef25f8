#pragma once
// Call records as bytes, on their way to the shard of their account. Pure, thread-safe.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/accounts.h"

namespace tonearm::shards {

/// Empty where there are none.
std::string write_report(std::span<const state::CallRecord> calls);
/// Nothing where the bytes are no report.
std::optional<std::vector<state::CallRecord>> read_report(std::string_view report);

}  // namespace tonearm::shards
