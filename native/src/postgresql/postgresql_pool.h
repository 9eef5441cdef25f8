#pragma once
// A bounded pool of connections to one PostgreSQL database. Safe for concurrent calls.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "postgresql/postgresql_connection.h"

namespace tonearm::native {

class PostgresqlPool {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// A connection on loan. One that is out of sync is closed instead of being given back.
  class Lease {
   public:
    /// How its connection came.
    enum class Origin { made_now, was_idle };

    Lease(PostgresqlPool& pool, std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation,
          Origin origin)
        : pool_(pool), connection_(std::move(connection)), generation_(generation), origin_(origin) {}
    ~Lease() { pool_.give_back(std::move(connection_), generation_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    PostgresqlConnection& operator*() { return *connection_; }
    PostgresqlConnection* operator->() { return connection_.get(); }
    Origin origin() const { return origin_; }
    /// Closes it, and all that were made before: what ended one has ended them.
    void discard();

   private:
    PostgresqlPool& pool_;
    std::unique_ptr<PostgresqlConnection> connection_;
    std::uint64_t generation_;
    Origin origin_;
  };

  /// A connection that was idle for `check_after` or longer is checked before it is lent.
  PostgresqlPool(std::string url, std::size_t connections_max, std::chrono::milliseconds check_after)
      : url_(std::move(url)), connections_max_(connections_max), check_after_(check_after) {}

  /// Waits for a free connection, or makes one. While the server cannot be reached it fails at once, but for one try
  /// now and then; while it only takes no more connections, those that are open are waited for. Throws sql::Failure,
  /// and std::logic_error to a thread that has one already.
  Lease take(Deadline deadline);

  struct Counts {
    std::size_t open = 0;  // idle, on loan, or being made
    std::size_t idle = 0;
    std::size_t waiting = 0;  // threads that wait for one
  };
  Counts counts() const;

 private:
  using Lock = std::unique_lock<std::mutex>;

  struct Idle {
    std::unique_ptr<PostgresqlConnection> connection;
    Deadline since;
  };

  Lease lend(Lock& lock, Deadline deadline);
  /// Empty where the one that was idle last is dead.
  std::unique_ptr<PostgresqlConnection> take_idle(Lock& lock, Deadline deadline);
  /// Empty where it failed and others are open.
  std::unique_ptr<PostgresqlConnection> try_to_connect(Lock& lock, Deadline deadline);
  void wait_for_open_one(Lock& lock, Deadline deadline);
  void give_back(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation);
  /// Closes those that are idle, and those on loan when they come back.
  void end_generation(std::uint64_t generation);
  void end_loan();
  bool is_any_open() const { return open_ > connecting_; }

  const std::string url_;
  const std::size_t connections_max_;
  const std::chrono::milliseconds check_after_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable given_back_;
  std::vector<Idle> idle_;
  std::size_t open_ = 0;        // idle, on loan, or being made
  std::size_t connecting_ = 0;  // being made
  std::size_t waiting_ = 0;
  std::uint64_t generation_ = 0;
  std::set<std::thread::id> borrowers_;
  Deadline next_try_{};       // after a failed try
  std::string last_failure_;  // of the last try; empty where it went well
};

}  // namespace tonearm::native
