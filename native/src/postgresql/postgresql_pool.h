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

  /// A borrowed connection. The destructor returns it to the pool, or closes it if it is out of sync.
  class Lease {
   public:
    /// Whether the connection is new or was idle in the pool.
    enum class Origin { made_now, was_idle };

    Lease(PostgresqlPool& pool, std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation,
          Origin origin)
        : pool_(pool), connection_(std::move(connection)), generation_(generation), origin_(origin) {}
    ~Lease() { pool_.release(std::move(connection_), generation_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    PostgresqlConnection& operator*() { return *connection_; }
    PostgresqlConnection* operator->() { return connection_.get(); }
    Origin origin() const { return origin_; }
    /// Closes this connection and all older ones, because the failure of one affects all.
    void discard();

   private:
    PostgresqlPool& pool_;
    std::unique_ptr<PostgresqlConnection> connection_;
    std::uint64_t generation_;
    Origin origin_;
  };

  /// Connections that were idle for `check_after` or longer are checked before reuse.
  PostgresqlPool(std::string url, std::size_t connections_max, std::chrono::milliseconds check_after)
      : url_(std::move(url)), connections_max_(connections_max), check_after_(check_after) {}

  /// Waits for a free connection or makes one. While the server is unreachable, it fails at once, except for an
  /// occasional retry; while the server accepts no more connections, it waits for an open one. Throws sql::Failure, and
  /// std::logic_error if the thread has a lease already.
  Lease acquire(Deadline deadline);

  struct Counts {
    std::size_t open = 0;  // idle, borrowed, or being made
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
  /// Returns null if the connection that was idle last is dead.
  std::unique_ptr<PostgresqlConnection> take_idle(Lock& lock, Deadline deadline);
  /// Returns null if it failed and other connections are open.
  std::unique_ptr<PostgresqlConnection> try_to_connect(Lock& lock, Deadline deadline);
  void wait_for_open_one(Lock& lock, Deadline deadline);
  void release(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation);
  /// Closes idle connections now, and borrowed ones when they are returned.
  void end_generation(std::uint64_t generation);
  void close_lease();
  bool is_any_open() const { return open_ > connecting_; }

  const std::string url_;
  const std::size_t connections_max_;
  const std::chrono::milliseconds check_after_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable released_;
  std::vector<Idle> idle_;
  std::size_t open_ = 0;        // idle, borrowed, or being made
  std::size_t connecting_ = 0;  // being made
  std::size_t waiting_ = 0;
  std::uint64_t generation_ = 0;
  std::set<std::thread::id> borrowers_;
  Deadline next_attempt_{};   // after a failed attempt
  std::string last_failure_;  // of the last attempt; empty if it succeeded
};

}  // namespace tonearm::native
