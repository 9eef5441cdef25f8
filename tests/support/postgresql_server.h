#pragma once
// A PostgreSQL server of our own: on a Unix socket, as an unprivileged user, gone when the object is.

#include <memory>
#include <string>

#include "process.h"

namespace tonearm::bench {

/// Runs on the data in `folder`, which it makes where there is none.
class PostgresqlServer {
 public:
  /// Waits until it takes connections. Throws std::runtime_error.
  explicit PostgresqlServer(const std::string& folder);
  ~PostgresqlServer();
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  /// For PQconnectdb.
  std::string address() const;

 private:
  void initialize(const std::string& log);
  void wait_until_ready(const std::string& log);

  std::string user_;  // empty: the same as ours
  std::string data_;
  std::string sockets_;
  std::unique_ptr<Process> server_;
};

}  // namespace tonearm::bench
