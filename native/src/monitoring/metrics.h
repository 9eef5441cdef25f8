#pragma once
// Counts what the server does and renders the counts in Prometheus' format (HOST-33). Safe for concurrent calls;
// counting uses no lock and allocates no memory.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/service_counts.h"

namespace tonearm::native {

class Exposition;

/// Upper bounds of the buckets of request times, in microseconds. One more bucket is above the last bound.
inline constexpr std::array<std::int64_t, 14> kBucketsUs{500,       1'000,     2'500,     5'000,     10'000,
                                                         25'000,    50'000,    100'000,   250'000,   500'000,
                                                         1'000'000, 2'500'000, 5'000'000, 10'000'000};

class Metrics {
 public:
  Metrics();

  /// Records only the route template of `target`, `/metrics`, or `other`, because clients choose the target.
  void count_request(std::string_view target, int status, std::chrono::nanoseconds took);
  void count_flush(std::size_t counters, std::size_t records);
  void count_flush_failure() { ++flush_failures_; }
  void count_refused_connection() { ++connections_refused_; }
  /// Counts a call that was answered 503 because the state or the snapshot failed.
  void count_failure() { ++failures_; }
  /// Counts a TLS handshake that was rejected, aborted, or timed out.
  void count_failed_handshake() { ++failed_handshakes_; }

  std::atomic<std::int64_t> connections{0};
  std::atomic<std::int64_t> in_flight{0};

  /// Values that are read when the text is rendered.
  struct Gauges {
    std::size_t queued = 0;
    std::string catalog_version{};  // empty: no catalog
    std::uint32_t catalog_tracks = 0;
    std::uint64_t catalog_refusals = 0;
    ServiceCounts service{};
    /// The disk of an embedded state.
    struct Disk {
      std::uint64_t free_bytes = 0;
      bool is_short = false;
    };
    std::optional<Disk> disk = std::nullopt;
    /// The connection pool of a state on PostgreSQL.
    struct Pool {
      std::uint64_t open = 0;
      std::uint64_t idle = 0;
      std::uint64_t waiting = 0;
      std::uint64_t retries = 0;
    };
    std::optional<Pool> pool = std::nullopt;
    /// The download of a catalog from object storage.
    struct Storage {
      std::uint64_t bytes = 0;
      std::uint64_t failures = 0;
      std::uint64_t missing_blocks = 0;
      std::int64_t answered_s = 0;  // Unix time; 0: never
    };
    std::optional<Storage> storage = std::nullopt;
  };
  std::string text(const Gauges& gauges) const;

 private:
  static constexpr std::size_t kStatuses = 500;  // 100 to 599

  struct Series {
    std::array<std::atomic<std::uint64_t>, kStatuses> by_status{};
    std::array<std::atomic<std::uint64_t>, kBucketsUs.size() + 1> by_time{};
    std::atomic<std::int64_t> took_ns{0};
  };

  void append_requests(Exposition& out) const;
  void append_times(Exposition& out) const;
  void append_server(Exposition& out, const Gauges& gauges) const;
  void append_state(Exposition& out, const Gauges& gauges) const;
  static void append_catalog(Exposition& out, const Gauges& gauges);
  void append_process(Exposition& out) const;

  const std::chrono::system_clock::time_point began_ = std::chrono::system_clock::now();
  std::vector<Series> series_;  // by route: the core's templates, then those of `kOwnRoutes`
  std::atomic<std::uint64_t> flushes_{0};
  std::atomic<std::uint64_t> flush_failures_{0};
  std::atomic<std::uint64_t> counters_written_{0};
  std::atomic<std::uint64_t> records_written_{0};
  std::atomic<std::uint64_t> connections_refused_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<std::uint64_t> failed_handshakes_{0};
};

}  // namespace tonearm::native
