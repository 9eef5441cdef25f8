#pragma once
// One connection to PostgreSQL over libpq: runs statements of the sql port, several in one round trip, with bounded
// waits. For one thread at a time.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tonearm/sql.h"

// libpq's types, by the names that its own header declares.
struct pg_conn;
struct pg_result;

namespace tonearm::native {

/// A failure with the server's code for it (SQLSTATE); the code is empty if there is none.
class PostgresqlFailure : public sql::Failure {
 public:
  explicit PostgresqlFailure(const std::string& message, std::string state = {})
      : sql::Failure(message), state_(std::move(state)) {}
  const std::string& state() const { return state_; }

 private:
  std::string state_;
};

/// The SQLSTATE of distributed databases that do not know whether they committed.
inline constexpr std::string_view kUnknownOutcome = "40003";

/// The connection cannot be used any more, and the outcome of its last query is unknown.
class ConnectionLost : public PostgresqlFailure {
  using PostgresqlFailure::PostgresqlFailure;
};

/// The caller's deadline has passed. The outcome of the last query is unknown, but the server may be well.
class OutOfTime : public ConnectionLost {
  using ConnectionLost::ConnectionLost;
};

/// The transaction conflicted with another one: it had no effect and may be retried.
class Conflict : public PostgresqlFailure {
  using PostgresqlFailure::PostgresqlFailure;
};

/// Replaces `?1` by `$1` outside of quotes. Throws std::logic_error unless `text` is exactly one statement.
struct NativeStatement {
  std::string text;
  std::size_t parameters = 0;  // the highest number
};
NativeStatement native_statement(std::string_view text);

class PostgresqlConnection {
 public:
  struct Query {
    std::string_view text;
    const sql::Row* parameters = nullptr;  // null: none
  };

  using Deadline = std::chrono::steady_clock::time_point;

  /// Less than a call's deadline, so that an unresponsive server is detected before the call times out.
  static constexpr std::chrono::milliseconds kReplyTimeout{4'500};
  static constexpr std::size_t kStatementsMax = 256;

  /// Connects; `timeout` covers all of it. Throws sql::Failure without the URL's secrets.
  PostgresqlConnection(const std::string& url, std::chrono::milliseconds timeout);
  ~PostgresqlConnection();
  PostgresqlConnection(const PostgresqlConnection&) = delete;
  PostgresqlConnection& operator=(const PostgresqlConnection&) = delete;

  /// Executes all queries in one round trip and returns the rows of each. Throws the first failure and does not run the
  /// queries after it: Conflict, ConnectionLost, another sql::Failure, or std::logic_error for a wrong number of
  /// parameters.
  std::vector<sql::Rows> execute(std::span<const Query> queries);
  sql::Rows execute_one(std::string_view text) {
    const Query query{text};
    return std::move(execute({&query, 1}).front());
  }

  /// Limits all later waits, which then throw OutOfTime.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// Returns whether the results of all queries were received. If not, the connection must not be reused.
  bool in_sync() const { return in_sync_; }
  void abandon() { in_sync_ = false; }
  /// Executes "SELECT 1" and waits at most `timeout` for its result.
  bool is_alive(std::chrono::milliseconds timeout) noexcept;
  /// Returns whether the connection should be closed because it has prepared too many statements. The partitions of
  /// call records add new ones every day.
  bool needs_recycle() const { return statements_.size() > kStatementsMax; }
  /// The name of this connection in `state_connections`.
  const std::string& name() const { return name_; }
  /// Returns the number of the next write.
  std::int64_t next_write() { return ++writes_; }

 private:
  struct Prepared {
    std::string name;
    std::size_t parameters = 0;
    bool is_on_server = false;
  };
  /// The statement of the cache that a result of a round trip belongs to.
  struct Expected {
    Prepared* statement = nullptr;
    bool preparation = false;
  };
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  struct Clear {
    void operator()(pg_result* result) const;
  };
  using ResultHandle = std::unique_ptr<pg_result, Clear>;

  void connect(const std::string& url);
  void configure_session();
  void send(const Query& query, std::vector<Expected>& expected);
  void flush();
  std::vector<sql::Rows> receive(const std::vector<Expected>& expected, std::size_t queries);
  ResultHandle next_result();
  void wait(short events, std::chrono::milliseconds timeout, std::string_view what);
  [[noreturn]] void lose(std::string_view what);
  Prepared& cached(std::string_view text);

  std::unique_ptr<pg_conn, Finish> connection_;
  // Statements that name a partition make it grow, so the owner closes a connection that `needs_recycle`.
  std::map<std::string, Prepared, std::less<>> statements_;
  std::chrono::milliseconds reply_timeout_ = kReplyTimeout;
  Deadline deadline_ = Deadline::max();
  bool in_sync_ = true;
  std::string name_;
  std::int64_t writes_ = 0;
};

}  // namespace tonearm::native
