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
/// Reads one report or several, one after the other. Returns nothing for other bytes.
std::optional<std::vector<state::CallRecord>> read_reports(std::string_view reports);

}  // namespace tonearm::shards
