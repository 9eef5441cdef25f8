#pragma once
// A queue of jobs that shares threads fairly between clients (docs/adr/0142-clients-share-the-threads.md). Each client
// has a limit of running and of waiting jobs. A client whose jobs recently used much time is heavy: all heavy clients
// together use only some of the threads, and the client that used least is next. Not thread-safe; the caller passes the
// time.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tonearm::native {

/// Whom a job counts for. `everyone`: no limit per client.
enum class JobOwner : std::uint64_t { everyone = 0 };

class FairQueue {
 public:
  using Job = std::function<void()>;
  using Time = std::chrono::steady_clock::time_point;

  struct Limits {
    std::size_t waiting_max = 0;  // new jobs of all clients
    std::size_t waiting_per_client_max = SIZE_MAX;
    std::size_t running_per_client_max = SIZE_MAX;
    std::size_t running_heavy_max = SIZE_MAX;  // jobs of all heavy clients together
    /// No client starts a second job while that many run, so that some threads are left for others.
    std::size_t running_crowded = SIZE_MAX;
  };

  explicit FairQueue(const Limits& limits) : limits_(limits) {}

  enum class Outcome : std::uint8_t { accepted, full, client_is_full };
  /// Enqueues the first job of a request.
  Outcome try_push(JobOwner client, Job job);
  /// Enqueues a further job of a request, whatever the limits.
  void push(JobOwner client, Job job);

  struct Started {
    JobOwner client;
    Job job;
  };
  /// Returns the next job that may run now, and counts it as running. Returns nothing if there is none.
  std::optional<Started> start(Time now);
  /// Counts a job that ended. REQUIRES: `began` is the time of its start.
  void finish(JobOwner client, Time began, Time now);

  std::size_t waiting() const { return waiting_; }
  /// Removes all waiting jobs.
  void clear();

 private:
  struct Client {
    std::deque<Job> waiting;
    std::vector<Time> running;  // when each job began
    Time charged_until;         // each job's time moves it ahead, times kChargeFactor
  };
  using Entry = std::pair<const JobOwner, Client>;

  static Time charged(const Client& client, Time now);
  static bool is_heavy(const Entry& entry, Time now);
  bool may_start(const Entry& entry, std::size_t heavy, Time now) const;
  std::size_t running_heavy(Time now) const;
  void forget_idle(Time now);

  const Limits limits_;
  std::unordered_map<JobOwner, Client> clients_;
  std::size_t waiting_ = 0;
  std::size_t running_ = 0;
};

}  // namespace tonearm::native
