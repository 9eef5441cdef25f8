#pragma once
// Aggregated call records (RECORD-8): one for each account, key, route, status and period, with a count. They are
// stored in partitions of their own. Each function runs in the caller's transaction and throws sql::Failure.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "state/call_partitions.h"
#include "state/calls/call_log.h"
#include "state/calls/pending_calls.h"
#include "tonearm/sql.h"

namespace tonearm::state {

// The two periods of aggregated records.
inline constexpr std::int64_t kMinuteS = 60;
inline constexpr std::int64_t kDayS = kDayMs / 1'000;

// RECORD-8: the first `kSingleRecordsMax` calls of an account on a UTC day have records of their own. Further calls are
// aggregated by minute, and by day once there are `kRecordsMax` records of either sort.
inline constexpr std::int64_t kSingleRecordsMax = 20'000;
inline constexpr std::int64_t kRecordsMax = 40'000;

inline bool is_refused_by_limit(const CallRecord& call) { return call.status == 429; }
/// Whether the call shares a record with others however few calls its day has.
inline bool is_aggregated(const CallRecord& call) { return is_refused_by_limit(call) || call.count > 1; }

/// Returns the start of the period that contains an instant. Unix milliseconds.
constexpr std::int64_t period_start(std::int64_t at_ms, std::int64_t period_s) {
  const std::int64_t length_ms = period_s * 1'000;
  return (at_ms / length_ms - (at_ms % length_ms < 0 ? 1 : 0)) * length_ms;
}

/// The key of an aggregated record within its period. `source`: see `source_of`; each server has its own, so that no
/// server changes another's records.
struct CallGroup {
  std::string account;
  std::string key_id;
  std::string route;
  std::int64_t status = 0;
  std::int64_t source = 0;
  std::int64_t minute_ms = 0;  // when the minute began

  /// Orders by account first, so that concurrent writers lock rows in the same order.
  friend bool operator<(const CallGroup& one, const CallGroup& other) {
    const auto key = [](const CallGroup& group) {
      return std::tie(group.account, group.key_id, group.route, group.status, group.source, group.minute_ms);
    };
    return key(one) < key(other);
  }
};

CallGroup group_of(const NumberedCall& numbered);

/// In which order the calls of a group arrive. If ascending (as from PendingCalls), a call whose number is not greater
/// than the last counted one was counted before, and is skipped.
enum class NumberOrder : std::uint8_t { ascending, any };

struct AggregationResult {
  std::vector<const NumberedCall*> added;  // the calls that were not counted before
  bool is_new_record = false;
};

/// Calls of one group, by number, and the period of the record to add them to.
struct GroupBatch {
  CallGroup group;
  std::vector<const NumberedCall*> calls;
  std::int64_t period_s = kMinuteS;
};

/// Adds calls of one UTC day to the records of their groups. Returns a result for each group. Must run in
/// `transact_with_partitions`.
std::vector<AggregationResult> add_to_aggregates(sql::Transaction& transaction, std::int64_t day,
                                                 const std::vector<GroupBatch>& groups, NumberOrder order);

/// Reads the columns that every record starts with: at_ms, key_id, method, route, status, duration_ms.
CallRecord read_call_head(const std::string& account, const sql::Row& row);

/// Returns the aggregated records of an account and a UTC day that begin after `after_ms`, latest first, with the
/// records of all sources added up.
std::vector<CallRecord> aggregates_of_day(sql::Transaction& transaction, const std::string& account, std::int64_t day,
                                          std::int64_t after_ms, std::int64_t rows_max);

}  // namespace tonearm::state
