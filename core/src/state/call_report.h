#pragma once
// Call records on their way to the home of their account (tonearm/home.h). Pure, thread-safe.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/accounts.h"

namespace tonearm::state {

/// Empty where there are none.
std::string write_report(std::span<const CallRecord> calls);
/// Nothing where the bytes are no report.
std::optional<std::vector<CallRecord>> read_report(std::string_view report);

}  // namespace tonearm::state
