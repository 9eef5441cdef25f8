#pragma once
// Call records and daily totals, as the API and the hosts use them. Implementations are safe for concurrent calls.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/flush_report.h"
#include "tonearm/result.h"

namespace tonearm::state {

/// RECORD-1, RECORD-8. Only searches have a `search_text`.
struct CallRecord {
  std::string account;
  std::string key_id;
  std::int64_t at_ms = 0;   // of an aggregated record: the start of its period
  std::int64_t number = 0;  // unique among the account's records of the same time; 0: not assigned yet
  std::string method;
  std::string route;  // the template: /v1/tracks/{id}
  int status = 0;
  std::int64_t duration_ms = 0;
  std::optional<std::uint32_t> result_count;  // of the page that was answered
  std::optional<std::string> search_text;
  bool first_party = false;
  std::uint64_t count = 1;  // how many calls the record represents; method and duration are those of the first call
  std::optional<std::int64_t> period_s;  // of an aggregated record: the seconds of a minute or of a day
};

/// The calls of one UTC day.
struct DayUsage {
  std::int64_t day_begin_ms = 0;
  std::uint64_t calls = 0;
  std::uint64_t succeeded = 0;    // status below 400
  std::uint64_t first_party = 0;  // the part made with session keys, which no limit counts
};

class CallLog {
 public:
  virtual ~CallLog() = default;

  /// Queues the record of an answered call for `flush`.
  virtual void record(CallRecord call) = 0;
  /// Writes what is in memory only: queued records and, on an embedded store, counters. Throws sql::Failure.
  virtual FlushReport flush() = 0;
  /// Makes the next flush try every database, even one that has just failed.
  virtual void skip_no_database() {}
  /// The latest records first, queued ones included. Errors: not_found.
  virtual Result<std::vector<CallRecord>> calls(std::string_view account, std::uint32_t limit) = 0;
  /// The latest day first. Errors: not_found.
  virtual Result<std::vector<DayUsage>> usage(std::string_view account) = 0;
};

}  // namespace tonearm::state
