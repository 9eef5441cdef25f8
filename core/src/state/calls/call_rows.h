#pragma once
// Reads and writes the rows of call records (RECORD-7). Each record and its part of the daily totals is written exactly
// once, even if attempts fail.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/calls/call_aggregates.h"
#include "state/calls/call_log.h"
#include "state/calls/pending_calls.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// The most records that one transaction of a server writes, so that it takes a few milliseconds.
inline constexpr std::size_t kCallsPerBatch = 250;

/// How much of a call is stored: `full` follows RECORD-8, `counts_by_day` follows RECORD-9 (the store is low on space).
enum class RecordDetail : std::uint8_t { full, counts_by_day };

/// What a batch wrote.
struct WrittenCalls {
  std::size_t count = 0;
  std::vector<FullDay> full_days;  // days of the batch that were full before it
};

/// Writes records into the partitions of their days and adds them to the daily totals. Skips records that were written
/// before, and those of deleted accounts (RECORD-6). `order`: of the calls of one account. Must run in
/// `transact_with_partitions`.
WrittenCalls write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls, NumberOrder order,
                         RecordDetail detail = RecordDetail::full);

/// Returns the latest records first, read in several short transactions. Empty: the account does not exist. Skips what
/// is past its term at `now_ms`, even if its partition still exists.
std::optional<std::vector<CallRecord>> latest_calls(sql::Store& store, const std::string& account, std::uint32_t limit,
                                                    std::int64_t now_ms);
/// Returns the daily totals, latest day first.
std::vector<DayUsage> read_usage(sql::Transaction& transaction, const std::string& account);

}  // namespace tonearm::state
