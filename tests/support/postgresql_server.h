#pragma once
// A private PostgreSQL server on a Unix socket. It runs as an unprivileged user and stops with the object.

#include <memory>
#include <string>
#include <vector>

#include "process.h"

namespace tonearm::test {

class PostgresqlServer {
 public:
  /// Runs on the data in `folder`, which it creates if missing. Waits until the server accepts connections. `settings`:
  /// for example `shared_buffers=2GB`. Throws std::runtime_error.
  PostgresqlServer(const std::string& folder, std::vector<std::string> settings);
  ~PostgresqlServer();
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  /// For PQconnectdb.
  std::string address() const;
  /// The same as a URL.
  std::string url() const;
  /// The socket that the server listens on.
  std::string socket_path() const { return sockets_ + "/.s.PGSQL.5432"; }

  /// SIGINT: closes connections and flushes everything; SIGQUIT: stops like a crash.
  void stop(int signal);
  void start();

 private:
  void initialize() const;
  void wait_until_ready();
  std::string log() const { return sockets_ + "/log"; }

  std::string user_;  // empty: the current user
  std::string data_;
  std::string sockets_;
  std::vector<std::string> settings_;
  std::unique_ptr<Process> server_;
};

/// Server settings for tests of the state: small, and as durable as in production.
std::vector<std::string> settings_for_state();

}  // namespace tonearm::test
