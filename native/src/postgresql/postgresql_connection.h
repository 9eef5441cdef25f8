#pragma once
// One connection to PostgreSQL, over libpq: statements of the sql port, several of them in one round trip, each wait
// bounded. For one thread at a time.

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

/// A failure with the server's code for it (SQLSTATE), empty where there is none.
class PostgresqlFailure : public sql::Failure {
 public:
  explicit PostgresqlFailure(const std::string& message, std::string state = {})
      : sql::Failure(message), state_(std::move(state)) {}
  const std::string& state() const { return state_; }

 private:
  std::string state_;
};

/// The connection cannot be used any more, and what became of its last query is unknown.
class ConnectionLost : public PostgresqlFailure {
  using PostgresqlFailure::PostgresqlFailure;
};

/// The time of the caller is over. What became of the last query is unknown, but nothing says that the server is gone.
class OutOfTime : public ConnectionLost {
  using ConnectionLost::ConnectionLost;
};

/// Another transaction was in the way: this one did nothing and may be replayed.
class Conflict : public PostgresqlFailure {
  using PostgresqlFailure::PostgresqlFailure;
};

/// The statement with `?1` as `$1`, outside of quotes. Throws std::logic_error where it is not exactly one statement.
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

  /// Less than a call has in all, so that a server which says nothing is found out before the call's time is over.
  static constexpr std::chrono::milliseconds kAnswerTimeout{4'500};
  static constexpr std::size_t kStatementsMax = 256;

  /// `timeout` is for all of it. Throws sql::Failure without the URL's secrets.
  PostgresqlConnection(const std::string& url, std::chrono::milliseconds timeout);
  ~PostgresqlConnection();
  PostgresqlConnection(const PostgresqlConnection&) = delete;
  PostgresqlConnection& operator=(const PostgresqlConnection&) = delete;

  /// Executes all in one round trip; returns the rows of each. The first failure is thrown, and the queries after it
  /// are not run: Conflict, ConnectionLost, another sql::Failure, or std::logic_error for a wrong number of parameters.
  std::vector<sql::Rows> execute(std::span<const Query> queries);
  sql::Rows execute_one(std::string_view text) {
    const Query query{text};
    return std::move(execute({&query, 1}).front());
  }

  /// From now on no wait lasts longer than until then: OutOfTime.
  void set_deadline(Deadline deadline) { deadline_ = deadline; }

  /// Whether the results of all queries have come; if not, the connection must not be used again.
  bool in_sync() const { return in_sync_; }
  void abandon() { in_sync_ = false; }
  /// Executes "SELECT 1", and waits no longer than that for its result.
  bool is_alive(std::chrono::milliseconds timeout) noexcept;
  /// Whether it knows so many statements that it should be closed: the partitions of call records add new ones every
  /// day.
  bool needs_recycle() const { return statements_.size() > kStatementsMax; }
  /// The name under which `state_connections` knows it.
  const std::string& name() const { return name_; }
  /// One more for each write.
  std::int64_t next_write() { return ++writes_; }

 private:
  struct Prepared {
    std::string name;
    std::size_t parameters = 0;
    bool known = false;  // to the server
  };
  /// Of a round trip: which statement of the cache each result belongs to.
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
  void set_up();
  void send(const Query& query, std::vector<Expected>& expected);
  void flush();
  std::vector<sql::Rows> receive(const std::vector<Expected>& expected, std::size_t queries);
  ResultHandle next_result();
  void wait(short events, std::chrono::milliseconds timeout, std::string_view what);
  [[noreturn]] void lose(std::string_view what);
  Prepared& cached(std::string_view text);

  std::unique_ptr<pg_conn, Finish> connection_;
  // Those of the code, and those that name a partition: its owner closes the connection when it `needs_recycle`.
  std::map<std::string, Prepared, std::less<>> statements_;
  std::chrono::milliseconds answer_timeout_ = kAnswerTimeout;
  Deadline deadline_ = Deadline::max();
  bool in_sync_ = true;
  std::string name_;
  std::int64_t writes_ = 0;
};

}  // namespace tonearm::native
