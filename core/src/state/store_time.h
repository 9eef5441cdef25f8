#pragma once
// The time of a transaction on state.

#include <cstdint>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// Unix milliseconds. A store that belongs to one process has no clock of its own: the given one is asked.
inline std::int64_t time_of(sql::Transaction& /*transaction*/, Clock& clock) { return clock.now_ms(); }

}  // namespace tonearm::state
