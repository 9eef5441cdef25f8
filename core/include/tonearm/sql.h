#pragma once
// The port to a database of state: transactions of portable SQL statements. Drivers implement it: SQLite
// (tonearm/sqlite.h), PostgreSQL (the native host), a Durable Object's storage (the edge).

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tonearm/result.h"

namespace tonearm::sql {

/// The database failed: disk, corruption, lost connection. Calls answer it with 503 `unavailable`.
class Failure : public tonearm::Failure {
  using tonearm::Failure::Failure;
};

/// There is no room on the disk: nothing was changed.
class OutOfSpace : public Failure {
  using Failure::Failure;
};

struct Blob {
  std::string bytes;

  friend bool operator==(const Blob&, const Blob&) = default;
};

using Value = std::variant<std::monostate, std::int64_t, std::string, Blob>;
using Row = std::vector<Value>;
using Rows = std::vector<Row>;

/// What a database is for, so that none is taken for another: a table that every such database has, and what messages
/// call it. Texts that live as long as the program.
struct Purpose {
  std::string_view table;
  std::string_view name;
};
/// The API's own.
inline constexpr Purpose kState{"state_meta", "a state of accounts"};

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
  /// no words for it. A text that lives as long as the program.
  virtual std::string_view create_table_suffix() const { return {}; }
  /// `execute` with each of `parameters` in their order; what each of them gives. One round trip where the database is
  /// remote.
  virtual std::vector<Rows> execute_each(std::string_view statement, const std::vector<Row>& parameters) {
    std::vector<Rows> all;
    all.reserve(parameters.size());
    for (const Row& row : parameters) all.push_back(execute(statement, row));
    return all;
  }
  /// Unix milliseconds by the store's clock, the same in the whole transaction; empty where the store has none of its
  /// own (LIMIT-3). Throws `Failure`.
  virtual std::optional<std::int64_t> now_ms() { return std::nullopt; }
};

/// A database of state. Safe for concurrent calls.
class Store {
 public:
  virtual ~Store() = default;
  /// Runs `body` in one transaction: committed, and durable, when the call returns; rolled back when
  /// `body` or the database throws. `body` may be replayed, does only SQL, and must not call `transact`.
  virtual void transact(const std::function<void(Transaction&)>& body) = 0;
  /// The same with less isolation, where the store has it: each statement sees what was committed before it began, and
  /// waits for others that change the same row. For bodies that need no more, because they change a row only where it
  /// still is as they read it.
  virtual void transact_read_committed(const std::function<void(Transaction&)>& body) { transact(body); }
  /// The same, with what the store keeps in reserve for a full disk, where it does: for bodies that free room or take
  /// rights away (RECORD-10).
  virtual void transact_from_reserve(const std::function<void(Transaction&)>& body) { transact(body); }
  /// Whether several processes use it at once, so that none may keep in memory what another can change (LIMIT-2).
  virtual bool is_shared() const { return false; }
  /// A number above 0, greater than those it gave before, for a record of the state; empty where those who use the
  /// store number by themselves.
  virtual std::optional<std::int64_t> next_number() { return std::nullopt; }
};

}  // namespace tonearm::sql
