#include "tonearm/sqlite.h"

#include <sqlite3.h>

#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "text/percent.h"

namespace tonearm::sql {

namespace {

/// How long a statement waits while another connection (a backup, an inspection) locks the file.
constexpr int kBusyWaitMs = 5'000;
/// The maximum number of cached statements. Each partition of the call records has its own statements, so their number
/// grows.
constexpr std::size_t kStatementsMax = 256;
/// A checkpoint within a commit blocks the writer. Hosts run checkpoints concurrently with writers; the log reaches
/// this many pages only if a host does not.
constexpr const char* kAutocheckpoint = "PRAGMA wal_autocheckpoint = 16384";

/// Returns a path as a `file:` URI, with every byte except unreserved ones and slashes percent-encoded.
std::string immutable_uri(std::string_view path) {
  // An empty authority precedes an absolute path. Otherwise a path that begins with two slashes would name a host.
  const std::string_view scheme = path.starts_with('/') ? "file://" : "file:";
  return std::string(scheme) + text::encode_percent(path, "/") + "?immutable=1";
}

void bind(Statement& statement, int parameter, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    statement.bind_integer(parameter, *integer);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    statement.bind_text(parameter, *text);
  } else if (const auto* blob = std::get_if<Blob>(&value)) {
    statement.bind_blob(parameter, blob->bytes);
  } else {
    statement.bind_null(parameter);
  }
}

Value column_value(const Statement& statement, int column) {
  switch (sqlite3_column_type(statement.handle(), column)) {
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_INTEGER:
      return statement.integer(column);
    case SQLITE_TEXT:
      return std::string(statement.blob(column));  // reads the bytes without searching for a terminator
    case SQLITE_BLOB:
      return Blob{std::string(statement.blob(column))};
    default:
      throw Failure("SQLite: unexpected floating-point value in the state");
  }
}

class SqliteTransaction final : public Transaction {
 public:
  explicit SqliteTransaction(sqlite3* database) : database_(database) {}

  Rows execute(std::string_view text, const Row& parameters) override {
    Statement& statement = cached(text);
    const StatementUse use(statement);
    if (statement.parameter_count() != static_cast<int>(parameters.size())) {
      throw std::logic_error("wrong number of parameters: " + std::string(text));
    }
    int number = 0;
    for (const auto& parameter : parameters) bind(statement, ++number, parameter);
    Rows rows;
    while (statement.step()) {
      const int columns = statement.column_count();
      Row& row = rows.emplace_back();
      row.reserve(static_cast<std::size_t>(columns));
      for (int column = 0; column < columns; ++column) row.push_back(column_value(statement, column));
    }
    return rows;
  }

  std::string_view create_table_suffix() const override { return " WITHOUT ROWID"; }

 private:
  Statement& cached(std::string_view text) {
    const auto found = statements_.find(text);
    if (found != statements_.end()) return found->second;
    if (statements_.size() >= kStatementsMax) statements_.clear();
    return statements_.try_emplace(std::string(text), database_, text).first->second;
  }

  sqlite3* database_;
  std::map<std::string, Statement, std::less<>> statements_;
};

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(SqliteHandle database) : database_(std::move(database)), transaction_(database_.get()) {
    sqlite3* raw = database_.get();
    // If the VFS cannot share memory, SQLite keeps its rollback journal and reports no error.
    sql::execute(raw, "PRAGMA journal_mode = WAL");
    sql::execute(raw, "PRAGMA synchronous = FULL");  // LIMIT-9: an acknowledged write is never lost
    sql::execute(raw, "PRAGMA foreign_keys = ON");
    sql::execute(raw, "PRAGMA temp_store = MEMORY");
    sql::execute(raw, "PRAGMA secure_delete = ON");  // RECORD-4, RECORD-6: overwrites deleted content in pages
    // Also removes it from the log, which is truncated when it restarts after a checkpoint.
    sql::execute(raw, "PRAGMA journal_size_limit = 0");
    sql::execute(raw, kAutocheckpoint);
    sqlite3_rollback_hook(raw, note_rollback, this);
    sqlite3_commit_hook(raw, refuse_commit, this);
  }

  void transact(const std::function<void(Transaction&)>& body) override {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (running_) throw std::logic_error("transact inside transact");
    const Running running(running_);
    is_rolled_back_ = false;
    // IMMEDIATE: a writer waits for the lock here, before it reads anything.
    sql::execute(database_.get(), "BEGIN IMMEDIATE");
    try {
      body(transaction_);
      sql::execute(database_.get(), "COMMIT");
    } catch (...) {
      roll_back();
      throw;
    }
  }

 private:
  class Running {
   public:
    explicit Running(bool& flag) : flag_(flag) { flag_ = true; }
    ~Running() { flag_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    bool& flag_;
  };

  static void note_rollback(void* store) { static_cast<SqliteStore*>(store)->is_rolled_back_ = true; }

  /// If memory ends while SQLite prepares a statement again for a changed schema, it rolls the transaction back,
  /// reports nothing, and runs the statement outside of it. Such a statement must not commit.
  static int refuse_commit(void* store) { return static_cast<SqliteStore*>(store)->is_rolled_back_ ? 1 : 0; }

  /// Some failures (a full disk) have already rolled back. The caller gets the first failure.
  void roll_back() noexcept {
    if (sqlite3_get_autocommit(database_.get()) == 0) {
      sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }

  SqliteHandle database_;
  SqliteTransaction transaction_;  // destroyed before the handle: its statements belong to it
  // Recursive only to report a nested call instead of deadlocking.
  std::recursive_mutex mutex_;
  bool running_ = false;
  bool is_rolled_back_ = false;  // the running transaction, by SQLite itself
};

}  // namespace

SqliteHandle open_sqlite(const std::string& name, OpenMode mode, const std::string& vfs) {
  const bool writes = mode == OpenMode::read_write_create;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  flags |= SQLITE_OPEN_NOMUTEX;
  // A named VFS reports itself which of its files are immutable.
  const bool as_uri = mode == OpenMode::read_only_immutable && vfs.empty();
  if (as_uri) flags |= SQLITE_OPEN_URI;
  const std::string location = as_uri ? immutable_uri(name) : name;
  sqlite3* raw = nullptr;
  const int status = sqlite3_open_v2(location.c_str(), &raw, flags, vfs.empty() ? nullptr : vfs.c_str());
  SqliteHandle database(raw);
  if (status != SQLITE_OK) throw_sqlite_failure(raw, "cannot open " + name);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kBusyWaitMs);
  if (!writes) sql::execute(raw, "PRAGMA mmap_size = 274877906944");
  // SQLite reads nothing when it opens a file: report a file that is not a database here, not at the first request.
  if (sqlite3_exec(raw, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw_sqlite_failure(raw, "cannot read " + name);
  }
  return database;
}

SqliteHandle open_sqlite_image(std::string_view bytes) {
  SqliteHandle database = open_sqlite(":memory:", OpenMode::read_write_create);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  // SQLite takes a non-const pointer, but does not write if the database is read-only.
  void* const memory = const_cast<char*>(bytes.data());  // NOLINT(*-const-cast)
  auto* const image = static_cast<unsigned char*>(memory);
  if (sqlite3_deserialize(database.get(), "main", image, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
    throw Failure("SQLite cannot open the bytes of a database");
  }
  sqlite3_exec(database.get(), "PRAGMA mmap_size = 274877906944", nullptr, nullptr, nullptr);
  return database;
}

std::unique_ptr<Store> make_sqlite_store(SqliteHandle database) {
  return std::make_unique<SqliteStore>(std::move(database));
}

}  // namespace tonearm::sql
