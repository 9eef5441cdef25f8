#pragma once
// The queue of call records in memory that are not written yet (RECORD-7).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "state/calls/call_log.h"

namespace tonearm::state {

/// A record and its number, which is unique in the state and grows with time.
struct NumberedCall {
  std::int64_t number = 0;
  CallRecord call;
};

/// A UTC day of an account, all further calls of which share records (RECORD-8).
struct FullDay {
  std::string account;
  std::int64_t day_begin_ms = 0;
};

/// The upper bits of a number are the run of the process that assigned it (`run` of OpenedSchema), or the time if the
/// store assigns numbers.
inline constexpr unsigned kNumberBits = 40;  // allows 2^40 records per run and 2^23 runs
constexpr std::int64_t source_of(std::int64_t number) { return number >> kNumberBits; }

/// Any number of threads may call `add`, `size` and `oldest_at_ms` at any time; only one thread at a time may call the
/// other functions. `size` and `oldest_at_ms` do not lock.
class PendingCalls {
 public:
  /// `run`: as in OpenedSchema. It makes the numbers unique across processes.
  explicit PendingCalls(std::int64_t run) : next_number_(run << kNumberBits) {}

  /// Appends a record, and assigns a number if it has none. Calls that will share a record (RECORD-8) are merged into
  /// one entry with a count: refused ones, and those of full days.
  void add(CallRecord call);
  /// Merges the calls of these days from now on.
  void add_full_days(std::span<const FullDay> days);
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  /// When the call of the oldest record was admitted; none: the queue is empty.
  std::optional<std::int64_t> oldest_at_ms() const;

  /// Returns the oldest records in order, at most `count_max`, and none only if the queue is empty. They stay in the
  /// queue unchanged until `mark_written`.
  std::span<const NumberedCall> oldest(std::size_t count_max);
  /// Removes the oldest `count` records.
  void mark_written(std::size_t count);
  /// RECORD-6: removes the records of one account.
  void remove_account(const std::string& account);

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  bool will_share_record(const CallRecord& call) const;
  /// Updates what `size` and `oldest_at_ms` return.
  void publish();

  // Guards all members. Only the elements of `batch_` are also read without it, by the thread that writes them.
  std::mutex mutex_;
  std::vector<NumberedCall> incoming_;
  std::unordered_map<std::string, std::size_t> group_index_;  // of the aggregated records in `incoming_`
  std::unordered_map<std::string, std::int64_t> full_days_;   // the latest full day of each account
  std::size_t unwritten_count_ = 0;
  std::int64_t next_number_;
  std::vector<NumberedCall> batch_;  // older than all in `incoming_`; unwritten ones at its end
  std::size_t written_count_ = 0;    // of `batch_`
  std::atomic<std::size_t> size_{0};
  std::atomic<std::int64_t> oldest_at_ms_{kNever};
};

}  // namespace tonearm::state
