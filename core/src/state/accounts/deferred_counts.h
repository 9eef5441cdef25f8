#pragma once
// Counts of an account, and totals of a day, that are not in their tables yet (HOST-61): in memory, and in the row of
// the account's last call record, which the next record replaces. So a call writes one row, its record. For stores of
// one account each. Functions with a store or a transaction throw sql::Failure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "domain/plan.h"
#include "state/calls/call_rows.h"
#include "state/calls/pending_calls.h"
#include "tonearm/sql.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm::state {

/// What the memory holds.
struct DeferredCounts {
  /// What the row of the last record contains.
  enum class InRecord : std::uint8_t { nothing, earlier_counts, these };

  std::string account;
  std::optional<CallCounts> counts;  // none: those of the table
  DayTotals totals;                  // what the table lacks
  InRecord in_record = InRecord::nothing;
};

/// Returns nothing if the memory is null or empty, or holds other bytes than these functions write.
std::optional<DeferredCounts> read_deferred(UnwrittenCounts* memory);
/// Returns the counts of the account in memory; nothing: those of the table are current. `memory` may be null.
std::optional<CallCounts> find_deferred(UnwrittenCounts* memory, const std::string& account);
/// Replaces the counts in memory.
void defer_counts(UnwrittenCounts& memory, const std::string& account, const CallCounts& counts);

// These three run a transaction, if there is something to do. `memory` may be null.

/// Loads into empty memory what the row of the last record contains, unless it is malformed.
void load_deferred(sql::Store& store, UnwrittenCounts* memory);
/// Stores what the memory holds in the row of the last record, unless that contains it; if there is none, in the
/// tables.
void store_deferred(sql::Store& store, UnwrittenCounts* memory);
/// Does `write_deferred` if the removal of the oldest records may remove the last one.
void write_deferred_before_removal(sql::Store& store, UnwrittenCounts* memory);

/// Writes what the memory holds to the tables, unless the account was deleted (RECORD-6), and empties it.
void write_deferred(sql::Transaction& transaction, UnwrittenCounts& memory);
/// Removes the counts from the row of the last record.
void discard_deferred(sql::Transaction& transaction);

/// Writes records as `write_calls` does. If all of them are of one day and none is aggregated, the totals and the
/// counts in memory are stored in the row of the last record, which is usually one of them; otherwise, in the tables.
/// Returns how many calls were written. Must run in `transact_with_partitions`.
std::size_t write_calls_with_counts(sql::Transaction& transaction, std::span<const NumberedCall> calls,
                                    UnwrittenCounts& memory);

}  // namespace tonearm::state
