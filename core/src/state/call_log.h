#pragma once
// Call records (RECORD-7) as rows. A record is written exactly once, with its share of the day's totals, whatever fails
// in between.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/accounts.h"
#include "state/call_counts.h"
#include "state/waiting_calls.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// How many records one transaction writes at most: some milliseconds.
inline constexpr std::size_t kCallsOfBatch = 250;

/// How much is written of a call: RECORD-8, or, where room is short, RECORD-9.
enum class Detail : std::uint8_t { whole, counts_by_day };

/// Writes records into the partitions of their days, and adds them to the days' totals; those that are there already,
/// and those of accounts that are gone (RECORD-6), change nothing. Calls of an account come in the order of their
/// numbers, as far as `numbers` says so. Returns how many calls were written.
std::size_t write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls, Numbers numbers,
                        Detail detail = Detail::whole);

/// The latest first, in several short transactions; nothing where there is no such account. What is past its term at
/// `now_ms` is not shown, though its partition may still be there.
std::optional<std::vector<CallRecord>> latest_calls(sql::Store& store, const std::string& account, std::uint32_t limit,
                                                    std::int64_t now_ms);
std::vector<DayUsage> read_usage(sql::Transaction& transaction, const std::string& account);

/// One step of retention and of the removal of accounts (RECORD-4, RECORD-6): a partition that is dropped, or at most
/// 500 rows. True while there may be more to do.
bool retain_rows(sql::Store& store, Clock& clock);

/// One step of making room where a store is nearly full (HOST-14): of the oldest day that has any, search texts and
/// then records, a partition that is dropped or at most 500 rows. False: there are none. Throws sql::Failure.
bool drop_oldest_records(sql::Store& store);

}  // namespace tonearm::state
