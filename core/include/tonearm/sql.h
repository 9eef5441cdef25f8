#pragma once
// The port to a database of state: transactions of portable SQL statements. The drivers are SQLite
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

/// The disk is full. Nothing was changed.
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

/// The purpose of a database, to detect that a wrong one was opened: a table that every such database has, and its name
/// in messages. The texts have static lifetime.
struct Purpose {
  std::string_view table;
  std::string_view name;
};
/// The API's state.
inline constexpr Purpose kState{"state_meta", "a state of accounts"};

/// A running transaction. Statements are portable SQL with the parameters `?1`, `?2`..., without BEGIN.
class Transaction {
 public:
  virtual ~Transaction() = default;
  /// Runs one statement and returns all its rows. Throws `Failure`.
  virtual Rows execute(std::string_view statement, const Row& parameters) = 0;
  Rows execute(std::string_view statement, std::initializer_list<Value> parameters = {}) {
    return execute(statement, Row(parameters));
  }
  /// Returns the end of a CREATE TABLE whose rows are stored in the order of their primary key; empty if the database
  /// does not support this. The text has static lifetime.
  virtual std::string_view create_table_suffix() const { return {}; }
  /// Runs `execute` with each of `parameters` in order, and returns the rows of each. Takes one round trip if the
  /// database is remote.
  virtual std::vector<Rows> execute_each(std::string_view statement, const std::vector<Row>& parameters) {
    std::vector<Rows> all;
    all.reserve(parameters.size());
    for (const Row& row : parameters) all.push_back(execute(statement, row));
    return all;
  }
  /// Returns the time of the store's clock in Unix milliseconds, which is the same in the whole transaction; nothing if
  /// the store has no clock (LIMIT-3). Throws `Failure`.
  virtual std::optional<std::int64_t> now_ms() { return std::nullopt; }
};

/// Whether a transaction may use a store's disk reserve, if it has one (RECORD-10).
enum class DiskSpace : std::uint8_t { ordinary, reserve };

/// A running change of tables. DDL statements (CREATE, ALTER, DROP) may each be committed by itself, so a change may
/// end half-way: a caller must be able to repeat it (docs/adr/0163-ddl-statements-run-by-themselves.md).
class SchemaChange {
 public:
  virtual ~SchemaChange() = default;
  /// Executes one DDL statement. If the database commits it by itself, what it creates may exist already. Throws
  /// `Failure`.
  virtual void execute_ddl(std::string_view statement) = 0;
  /// Executes other statements, as `Store::transact`.
  virtual void transact(const std::function<void(Transaction&)>& body) = 0;
  /// As in `Transaction`.
  virtual std::string_view create_table_suffix() const = 0;
};

/// The most databases that a state may be divided among (HOST-56).
inline constexpr std::int64_t kDatabasesMax = 64;

/// A database of state. Safe for concurrent calls.
class Store {
 public:
  virtual ~Store() = default;
  /// Runs `body` in one transaction: committed and durable when the call returns, rolled back if `body` or the database
  /// throws. `body` may be replayed, must only execute SQL, and must not call `transact`. DDL belongs in
  /// `change_schema`, because not every database runs it in a transaction.
  virtual void transact(const std::function<void(Transaction&)>& body) = 0;
  /// Like `transact`, with the isolation level READ COMMITTED if the store has it: each statement sees what was
  /// committed before it began, and waits for others that change the same row. For bodies that change a row only if it
  /// is unchanged since they read it.
  virtual void transact_read_committed(const std::function<void(Transaction&)>& body) { transact(body); }
  /// Like `transact`, for a body that reads and writes only what belongs to `account`. A state that is divided among
  /// several databases runs it in the one that has the account (HOST-56).
  virtual void transact_of(const std::string& /*account*/, const std::function<void(Transaction&)>& body) {
    transact(body);
  }
  /// Like `transact_read_committed`, in any database of a divided state that works. For probes (SERVICE-5).
  virtual void transact_anywhere(const std::function<void(Transaction&)>& body) { transact_read_committed(body); }
  /// Like `transact`, but may use the store's disk reserve, if it has one. For bodies that free space or revoke rights
  /// (RECORD-10).
  virtual void transact_from_reserve(const std::function<void(Transaction&)>& body) { transact(body); }
  /// Runs `body`, which may change tables: in one transaction, or statement by statement if the store commits DDL by
  /// itself. `body` may be replayed. Throws `Failure`.
  virtual void change_schema(DiskSpace space, const std::function<void(SchemaChange&)>& body) {
    const auto change_tables = [&](Transaction& transaction) {
      ChangeInTransaction change(transaction);
      body(change);
    };
    space == DiskSpace::reserve ? transact_from_reserve(change_tables) : transact(change_tables);
  }
  /// Returns whether several processes use the store at once, so that none may cache what another can change (LIMIT-2).
  virtual bool is_shared() const { return false; }
  /// Returns the next id of a record: above 0, and greater than all earlier ones. Returns nothing if the users of the
  /// store number records themselves.
  virtual std::optional<std::int64_t> next_number() { return std::nullopt; }

 private:
  class ChangeInTransaction final : public SchemaChange {
   public:
    explicit ChangeInTransaction(Transaction& transaction) : transaction_(transaction) {}
    void execute_ddl(std::string_view statement) override { transaction_.execute(statement); }
    void transact(const std::function<void(Transaction&)>& body) override { body(transaction_); }
    std::string_view create_table_suffix() const override { return transaction_.create_table_suffix(); }

   private:
    Transaction& transaction_;
  };
};

}  // namespace tonearm::sql
