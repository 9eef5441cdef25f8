#pragma once
// The call records that wait in memory to be written (RECORD-7).

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "state/accounts.h"

namespace tonearm::state {

/// A record and its number, which no other record of the state has, and which grows with time.
struct NumberedCall {
  std::int64_t number = 0;
  CallRecord call;
};

/// Of a number: what made it unique beyond its process (`run` of OpenedSchema), or its time where the store gives them.
inline constexpr unsigned kNumberBits = 40;  // 2^40 records a run and 2^23 runs fit
constexpr std::int64_t source_of(std::int64_t number) { return number >> kNumberBits; }

/// The records that wait. `add` and `waiting` are safe for concurrent calls among themselves and with the others;
/// of the others one may run at a time.
class WaitingCalls {
 public:
  /// `run` as in OpenedSchema: it makes the numbers unique beyond this process.
  explicit WaitingCalls(std::int64_t run) : next_number_(run << kNumberBits) {}

  /// A record without a number gets one. Refused calls that share a record (RECORD-8) wait as one, with their count.
  void add(CallRecord call);
  std::size_t waiting() const;
  /// When the call was admitted that waits longest; none: none waits.
  std::optional<std::int64_t> waiting_since_ms() const;

  /// Some of those that wait longest, in order: at most `count_max`, and none only where none waits. They stay until
  /// `written`, and come again, as they are, when it is not said.
  std::span<const NumberedCall> longest_waiting(std::size_t count_max);
  /// The first `count` of them are written.
  void written(std::size_t count);
  /// RECORD-6: drops what waits of one account.
  void drop(const std::string& account);

 private:
  bool is_added_to_waiting(const CallRecord& call);

  mutable std::mutex mutex_;  // guards the first four
  std::vector<NumberedCall> fresh_;
  std::unordered_map<std::string, std::size_t> shared_;  // of those that are fresh: where the record of a group is
  std::size_t gathered_count_ = 0;
  std::int64_t next_number_;
  std::vector<NumberedCall> gathered_;
  std::size_t written_count_ = 0;  // of those gathered
};

}  // namespace tonearm::state
