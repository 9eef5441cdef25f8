#pragma once
// The time of a transaction on state.

#include <cstdint>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// LIMIT-3: returns the time of the store's clock, so that all servers agree, or of `clock` if the store has none. Unix
/// milliseconds.
inline std::int64_t time_of(sql::Transaction& transaction, Clock& clock) {
  const auto stored_ms = transaction.now_ms();
  return stored_ms ? *stored_ms : clock.now_ms();
}

}  // namespace tonearm::state
