#pragma once
// One connection to PostgreSQL, over libpq: statements of the sql port, several of them in one journey, each wait
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

/// A fault with the server's code for it (SQLSTATE), empty where there is none.
class PostgresqlFault : public sql::Failure {
 public:
  explicit PostgresqlFault(const std::string& message, std::string state = {})
      : sql::Failure(message), state_(std::move(state)) {}
  const std::string& state() const { return state_; }

 private:
  std::string state_;
};

/// The connection cannot be used any more, and nobody knows what became of its last question.
class ConnectionLost : public PostgresqlFault {
  using PostgresqlFault::PostgresqlFault;
};

/// Another transaction was in the way: this one did nothing and may run again.
class Conflict : public PostgresqlFault {
  using PostgresqlFault::PostgresqlFault;
};

/// The statement with `?1` as `$1`, outside of quotes. Throws std::logic_error where it is not exactly one statement.
struct NativeStatement {
  std::string text;
  std::size_t parameters = 0;  // the highest number
};
NativeStatement native_statement(std::string_view text);

class PostgresqlConnection {
 public:
  struct Question {
    std::string_view text;
    const sql::Row* parameters = nullptr;  // null: none
  };

  static constexpr std::chrono::milliseconds kAnswerTimeout{5'000};
  static constexpr std::size_t kStatementsMax = 256;

  /// Throws sql::Failure without the URL's secrets.
  PostgresqlConnection(const std::string& url, std::chrono::milliseconds timeout);
  ~PostgresqlConnection();
  PostgresqlConnection(const PostgresqlConnection&) = delete;
  PostgresqlConnection& operator=(const PostgresqlConnection&) = delete;

  /// Asks all in one journey; gives the rows of each. The first that fails is what is thrown, and those behind it are
  /// not run: Conflict, ConnectionLost, another sql::Failure, or std::logic_error for a wrong number of parameters.
  std::vector<sql::Rows> ask(std::span<const Question> questions);
  sql::Rows ask_one(std::string_view text) {
    const Question question{text};
    return std::move(ask({&question, 1}).front());
  }

  /// Whether every answer that was asked for has come: else it must not be asked again.
  bool in_step() const { return in_step_; }
  void abandon() { in_step_ = false; }
  /// Asks it for nothing, and waits no longer than that for the answer.
  bool is_alive(std::chrono::milliseconds timeout) noexcept;
  /// Whether it knows so many statements that it should be closed: the parts of call records bring new ones every day.
  bool is_worn() const { return statements_.size() > kStatementsMax; }
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
  /// Of a journey: which statement of the cache each result belongs to.
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
  using Deadline = std::chrono::steady_clock::time_point;

  void connect(const std::string& url, std::chrono::milliseconds timeout);
  void set_up();
  void send(const Question& question, std::vector<Expected>& expected);
  void flush();
  std::vector<sql::Rows> receive(const std::vector<Expected>& expected, std::size_t questions);
  ResultHandle next_result();
  void wait(short events, Deadline deadline, std::string_view what);
  [[noreturn]] void lose(std::string_view what);
  Prepared& cached(std::string_view text);

  std::unique_ptr<pg_conn, Finish> connection_;
  // What the code says and what names a part: its owner closes it when it `is_worn`.
  std::map<std::string, Prepared, std::less<>> statements_;
  std::chrono::milliseconds answer_timeout_ = kAnswerTimeout;
  bool in_step_ = true;
  std::string name_;
  std::int64_t writes_ = 0;
};

}  // namespace tonearm::native
