#pragma once
// Records that several calls share (RECORD-8): one for each account, key, route, status and period, with a count. They
// lie in partitions of their own. Functions of one transaction each; they throw sql::Failure.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "state/accounts.h"
#include "state/call_partitions.h"
#include "state/waiting_calls.h"
#include "tonearm/sql.h"

namespace tonearm::state {

// The two periods of shared records.
inline constexpr std::int64_t kMinuteS = 60;
inline constexpr std::int64_t kDayS = kDayMs / 1'000;

/// RECORD-8, of each account and UTC day: so many calls have records of their own; beyond them calls share records by
/// the minute; and beyond so many records of either sort by the day.
inline constexpr std::int64_t kOwnRecordsMax = 20'000;
inline constexpr std::int64_t kRecordsMax = 40'000;

inline bool is_refused_by_limit(const CallRecord& call) { return call.status == 429; }

/// When the period began that holds an instant. Unix milliseconds.
constexpr std::int64_t begin_of_period(std::int64_t at_ms, std::int64_t period_s) {
  const std::int64_t length_ms = period_s * 1'000;
  return (at_ms / length_ms - (at_ms % length_ms < 0 ? 1 : 0)) * length_ms;
}

/// What tells shared records apart. `source`: see `source_of`; each server has its own, so that none changes another's.
struct CallGroup {
  std::string account;
  std::string key_id;
  std::string route;
  std::int64_t status = 0;
  std::int64_t source = 0;
  std::int64_t minute_ms = 0;  // when it began

  /// By account first, so that those who write at once take rows in the same order.
  friend bool operator<(const CallGroup& one, const CallGroup& other) {
    const auto key = [](const CallGroup& group) {
      return std::tie(group.account, group.key_id, group.route, group.status, group.source, group.minute_ms);
    };
    return key(one) < key(other);
  }
};

CallGroup group_of(const NumberedCall& numbered);

/// Whether numbers that are not greater than one that a shared record has counted are known to be counted too (as those
/// of WaitingCalls are), so that a call that comes again changes nothing.
enum class Numbers : std::uint8_t { in_order, in_any_order };

/// What became of a group's calls.
struct SharedCalls {
  std::vector<const NumberedCall*> added;  // those that were not counted already
  bool made = false;                       // there is one record more
};

/// Calls of one group, in the order of their numbers, and the period of the record to which they are to be added.
struct GroupToWrite {
  CallGroup group;
  std::vector<const NumberedCall*> calls;
  std::int64_t period_s = kMinuteS;
};

/// Adds calls of one UTC day to their groups' records. What became of each group.
std::vector<SharedCalls> add_to_counts(sql::Transaction& transaction, std::int64_t day,
                                       const std::vector<GroupToWrite>& groups, Numbers numbers);

/// What every record begins with, from the first six columns: at_ms, key_id, method, route, status, duration_ms.
CallRecord call_begun_at(const std::string& account, const sql::Row& row);

/// Those of an account and a UTC day that begin after `after_ms`, of all sources together, the latest first.
std::vector<CallRecord> counts_of_day(sql::Transaction& transaction, const std::string& account, std::int64_t day,
                                      std::int64_t after_ms, std::int64_t rows_max);

}  // namespace tonearm::state
