#pragma once
// Encodes call records for the shard of their account. Pure, thread-safe.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/calls/call_log.h"

namespace tonearm::shards {

/// Returns an empty string for no calls.
std::string write_report(std::span<const state::CallRecord> calls);
/// Returns nothing if the bytes are not a report.
std::optional<std::vector<state::CallRecord>> read_report(std::string_view report);

}  // namespace tonearm::shards
