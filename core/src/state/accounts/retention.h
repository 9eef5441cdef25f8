#pragma once
// Removal of rows that are past their term: call records, rows of deleted accounts, expired session keys, idempotency
// keys (RECORD-3, RECORD-4, RECORD-6). Functions throw sql::Failure.

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// Runs one step, which drops a partition or deletes at most 500 rows. Returns true while there may be more to remove.
bool run_retention_step(sql::Store& store, Clock& clock);

/// Frees some space in a store that is nearly full (HOST-14): drops a partition of the oldest day that has any, search
/// texts before records, or deletes at most 500 of its rows. Returns false if there are none.
bool drop_oldest_records(sql::Store& store);

}  // namespace tonearm::state
