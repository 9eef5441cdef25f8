#pragma once
// The time of a transaction on state.

#include <cstdint>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// LIMIT-3: by the store's clock where it has one, so that all servers agree; else by the given one. Unix milliseconds.
inline std::int64_t time_of(sql::Transaction& transaction, Clock& clock) {
  const auto stored_ms = transaction.now_ms();
  return stored_ms ? *stored_ms : clock.now_ms();
}

}  // namespace tonearm::state
