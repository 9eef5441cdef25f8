#pragma once
// A small statement API over SQL databases: the port that state is written against, and its SQLite
// driver. Other drivers (PostgreSQL, a Durable Object's storage) implement `sql::Store`.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;

namespace tonearm::sql {

/// A fault of the database (not a user's error): disk, corruption, lost connection. `answer` turns it
/// into 503 `unavailable`.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Blob {
  std::string bytes;

  friend bool operator==(const Blob&, const Blob&) = default;
};

using Value = std::variant<std::monostate, std::int64_t, std::string, Blob>;
using Row = std::vector<Value>;
using Rows = std::vector<Row>;

/// One transaction in progress. Statements use `?1`, `?2`... in portable SQL and hold no BEGIN.
class Transaction {
 public:
  virtual ~Transaction() = default;
  /// Runs one statement and gives all its rows. Throws `Failure`.
  virtual Rows execute(std::string_view statement, const Row& parameters) = 0;
  Rows execute(std::string_view statement, std::initializer_list<Value> parameters = {}) {
    return execute(statement, Row(parameters));
  }
  /// What a CREATE TABLE ends with so that its rows lie in the order of their primary key; empty where the database has
  /// no words for it.
  virtual std::string_view in_order_of_key() const { return {}; }
  /// `execute` with each of `parameters` in their order; what each of them gives. One journey where the database is
  /// far.
  virtual std::vector<Rows> execute_each(std::string_view statement, const std::vector<Row>& parameters) {
    std::vector<Rows> all;
    all.reserve(parameters.size());
    for (const Row& row : parameters) all.push_back(execute(statement, row));
    return all;
  }
  /// Unix milliseconds by the store's clock, the same in the whole transaction; empty where the store has none of its
  /// own (C7.1). Throws `Failure`.
  virtual std::optional<std::int64_t> now_ms() { return std::nullopt; }
};

/// A database of state. Safe for concurrent calls.
class Store {
 public:
  virtual ~Store() = default;
  /// Runs `body` in one transaction: committed, and durable, when the call returns; rolled back when
  /// `body` or the database throws. `body` may run again, does only SQL, and must not call `transact`.
  virtual void transact(const std::function<void(Transaction&)>& body) = 0;
  /// The same with less isolation, where the store has it: each statement sees what was committed before it began, and
  /// waits for others that change the same row. For bodies that need no more, because they change a row only where it
  /// still is as they read it.
  virtual void transact_by_statement(const std::function<void(Transaction&)>& body) { transact(body); }
  /// Whether several processes use it at once, so that none may keep in memory what another can change (C7.1).
  virtual bool is_shared() const { return false; }
  /// A number above 0, greater than those it gave before, for a record of the state; empty where those who use the
  /// store number by themselves.
  virtual std::optional<std::int64_t> next_number() { return std::nullopt; }
};

/// Flags of `open_sqlite`.
enum class OpenMode : std::uint8_t { read_write_create, read_only, read_only_immutable };

struct CloseSqlite {
  void operator()(sqlite3* database) const;
};
using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;

/// Opens a database that SQLite's VFS (`vfs`, empty: the default one) knows as `name`. Throws `Failure`.
/// The handle is to be used by one thread at a time.
SqliteHandle open_sqlite(const std::string& name, OpenMode mode, const std::string& vfs = {});

/// State on one SQLite database (WAL where the VFS can, synchronous=FULL). Calls are serialized inside.
std::unique_ptr<Store> make_sqlite_store(SqliteHandle database);

}  // namespace tonearm::sql
