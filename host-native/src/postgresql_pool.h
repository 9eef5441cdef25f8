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

#include "postgresql_connection.h"

namespace tonearm::native {

class PostgresqlPool {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// A connection on loan. One that is not in step is closed instead of being given back.
  class Lease {
   public:
    Lease(PostgresqlPool& pool, std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation)
        : pool_(pool), connection_(std::move(connection)), generation_(generation) {}
    ~Lease() { pool_.give_back(std::move(connection_), generation_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    PostgresqlConnection& operator*() { return *connection_; }
    PostgresqlConnection* operator->() { return connection_.get(); }
    /// Closes it, and all that were made before: what ended one has ended them.
    void discard();

   private:
    PostgresqlPool& pool_;
    std::unique_ptr<PostgresqlConnection> connection_;
    std::uint64_t generation_;
  };

  PostgresqlPool(std::string url, std::size_t connections_max)
      : url_(std::move(url)), connections_max_(connections_max) {}

  /// Waits for a free connection, or makes one. While the server cannot be reached it fails at once, but for one try
  /// now and then. Throws sql::Failure, and std::logic_error to a thread that has one already.
  Lease take(Deadline deadline);

 private:
  void give_back(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation);
  std::unique_ptr<PostgresqlConnection> connect(Deadline deadline);
  void end_loan();

  const std::string url_;
  const std::size_t connections_max_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<PostgresqlConnection>> idle_;
  std::size_t open_ = 0;
  std::uint64_t generation_ = 0;
  std::set<std::thread::id> borrowers_;
  Deadline next_try_{};
  std::string last_fault_;
};

}  // namespace tonearm::native
