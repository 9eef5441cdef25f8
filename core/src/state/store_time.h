#pragma once
// The one place where a transaction gets its time from.

#include <cstdint>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// Unix milliseconds within a transaction. A store that belongs to one process has no clock of its own.
inline std::int64_t store_now_ms(sql::Transaction& /*transaction*/, Clock& clock) { return clock.now_ms(); }

}  // namespace tonearm::state
