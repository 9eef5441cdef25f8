#pragma once
// Call records (C8): those that wait to be written, and their rows. A record is written exactly once, with its share of
// the day's totals, whatever fails in between.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/accounts.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// A record and its number, which no other record of the state has, and which grows with time.
struct NumberedCall {
  std::int64_t number = 0;
  CallRecord call;
};

/// The records that wait. `add` and `waiting` are safe for concurrent calls among themselves and with the others;
/// of the others one may run at a time.
class WaitingCalls {
 public:
  /// `run` as in OpenedSchema: it makes the numbers unique beyond this process.
  explicit WaitingCalls(std::int64_t run) : next_number_(run << kNumberBits) {}

  /// A record without a number gets one.
  void add(CallRecord call);
  /// All that wait, in order, which wait no more.
  std::vector<CallRecord> take();
  std::size_t waiting() const;

  /// Some of those that wait longest, in order: at most `count_max`, and none only where none waits. They stay until
  /// `written`, and come again when it is not said.
  std::span<const NumberedCall> longest_waiting(std::size_t count_max);
  /// The first `count` of them are written.
  void written(std::size_t count);
  /// C9: drops what waits of one account.
  void drop(const std::string& account);

 private:
  static constexpr unsigned kNumberBits = 40;  // 2^40 records a run and 2^23 runs fit

  mutable std::mutex mutex_;  // guards the first three
  std::vector<NumberedCall> fresh_;
  std::size_t gathered_count_ = 0;
  std::int64_t next_number_;
  std::vector<NumberedCall> gathered_;
  std::size_t written_count_ = 0;  // of those gathered
};

/// How many records one transaction writes at most: some milliseconds.
inline constexpr std::size_t kCallsOfBatch = 250;

/// Writes records into the parts of their days, and adds them to the days' totals; those that are there already, and
/// those of accounts that are gone (C9), change nothing. Returns how many were written.
std::size_t write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls);

/// The latest first, in several short transactions; nothing where there is no such account. What is past its term at
/// `now_ms` is not shown, though its part may still be there.
std::optional<std::vector<CallRecord>> latest_calls(sql::Store& store, const std::string& account, std::uint32_t limit,
                                                    std::int64_t now_ms);
std::vector<DayUsage> read_usage(sql::Transaction& transaction, const std::string& account);

/// One step of retention and of the removal of accounts (C8, C9): a part that is dropped, or at most 500 rows. True
/// while there may be more to do.
bool retain_rows(sql::Store& store, Clock& clock);

}  // namespace tonearm::state
