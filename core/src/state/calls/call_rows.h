#pragma once
// Reads and writes the rows of call records (RECORD-7). Each record and its part of the daily totals is written exactly
// once, even if attempts fail.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// Calls of an account on a UTC day, and how many records they have.
struct DayTotals {
  DayUsage usage;
  std::int64_t records = 0;  // single and aggregated ones
};

void add_call(DayUsage& usage, const CallRecord& call);
/// Adds to the daily totals of an account.
void add_to_day(sql::Transaction& transaction, const std::string& account, const DayTotals& totals);
/// Returns the number of records that the daily totals count.
std::int64_t records_of_day(sql::Transaction& transaction, const std::string& account, std::int64_t day_begin_ms);

/// The latest single-call record of a store. Those of days before `first_day_with_counts` do not count.
struct LastRecord {
  std::string account;
  std::int64_t at_ms = 0;
  std::int64_t number = 0;
  std::optional<std::string> deferred_counts;  // see accounts/deferred_counts.h
};

// For stores of one account each.

std::optional<LastRecord> find_last_record(sql::Transaction& transaction);
/// Records of an account are stored in this order.
inline auto row_key(const NumberedCall& numbered) { return std::pair(numbered.call.at_ms, numbered.number); }
inline auto row_key(const LastRecord& last) { return std::pair(last.at_ms, last.number); }
/// `counts`: nothing removes them.
void replace_deferred_counts(sql::Transaction& transaction, const LastRecord& last,
                             const std::optional<std::string>& counts);
/// Returns those of the calls, all of one day, that have no single-call record.
std::vector<const NumberedCall*> find_unrecorded(sql::Transaction& transaction, std::int64_t day,
                                                 std::span<const NumberedCall> calls);
/// Writes single-call records of one day, which have none yet, without daily totals; the last one with deferred counts
/// if there are any. Must run in `transact_with_partitions`.
void insert_records(sql::Transaction& transaction, std::int64_t day, const std::vector<const NumberedCall*>& calls,
                    const std::optional<std::string>& deferred_counts);

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
