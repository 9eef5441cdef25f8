#pragma once
// Counts of what the server does, and their text in Prometheus' format. Safe for concurrent calls.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm::native {

/// The class of a request's path: few values, and none that a client can make up.
std::string_view route_class(std::string_view target);

class Metrics {
 public:
  void count_request(std::string_view target, int status, std::chrono::nanoseconds took);
  void count_flush(std::size_t counters, std::size_t records);
  void count_flush_failure() { ++flush_failures_; }
  void count_overflow() { ++connections_refused_; }

  std::atomic<std::int64_t> connections{0};
  std::atomic<std::int64_t> in_flight{0};

  /// What is not counted here but read when the text is made.
  struct Gauges {
    std::size_t queued = 0;
    std::string catalog_version;  // empty: no catalog
    std::uint32_t catalog_tracks = 0;
    /// Of an embedded state's disk.
    struct Room {
      std::uint64_t free_bytes = 0;
      bool is_short = false;
    };
    std::optional<Room> room = std::nullopt;
  };
  std::string text(const Gauges& gauges) const;

 private:
  struct Series {
    std::uint64_t count = 0;
    std::chrono::nanoseconds took{0};
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string_view, int>, Series> requests_;
  std::atomic<std::uint64_t> flushes_{0};
  std::atomic<std::uint64_t> flush_failures_{0};
  std::atomic<std::uint64_t> counters_written_{0};
  std::atomic<std::uint64_t> records_written_{0};
  std::atomic<std::uint64_t> connections_refused_{0};
};

}  // namespace tonearm::native
