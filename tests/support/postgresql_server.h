#pragma once
// A PostgreSQL server of our own: on a Unix socket, as an unprivileged user, gone when the object is.

#include <memory>
#include <string>
#include <vector>

#include "process.h"

namespace tonearm::test {

class PostgresqlServer {
 public:
  /// Runs on the data in `folder`, which it makes where there is none. Waits until it takes connections. `settings` as
  /// in `shared_buffers=2GB`. Throws std::runtime_error.
  PostgresqlServer(const std::string& folder, std::vector<std::string> settings);
  ~PostgresqlServer();
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  /// For PQconnectdb.
  std::string address() const;
  /// The same as a URL.
  std::string url() const;
  /// The socket that it listens on.
  std::string socket_path() const { return sockets_ + "/.s.PGSQL.5432"; }

  /// SIGINT: ends its sessions and writes all it has; SIGQUIT: as in a crash.
  void stop(int signal);
  void start();

 private:
  void initialize() const;
  void wait_until_ready();
  std::string log() const { return sockets_ + "/log"; }

  std::string user_;  // empty: the same as ours
  std::string data_;
  std::string sockets_;
  std::vector<std::string> settings_;
  std::unique_ptr<Process> server_;
};

/// The settings of servers that tests use for state: small, and as durable as in production.
std::vector<std::string> settings_for_state();

}  // namespace tonearm::test
