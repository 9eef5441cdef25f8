#include <sqlite3.h>

#include <map>
#include <mutex>
#include <utility>

#include "tonearm/sql.h"

namespace tonearm::sql {

namespace {

/// How long a statement waits for another connection (a backup, an inspection) to let go of the file.
constexpr int kBusyWaitMs = 5'000;
/// Prepared statements that are kept. The parts of the call records have names of their own, so their number grows.
constexpr std::size_t kStatementsMax = 256;
/// A checkpoint within a commit holds the writer for as long as it lasts. Hosts run their own beside the writers; this
/// many pages of the log are reached only where none does.
constexpr std::string_view kAutocheckpoint = "PRAGMA wal_autocheckpoint = 16384";

Failure failure(sqlite3* database, std::string_view what) {
  std::string message = "SQLite: ";
  message += what;
  message += ": ";
  message += database == nullptr ? "out of memory" : sqlite3_errmsg(database);
  return Failure(message);
}

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

void run_script(sqlite3* database, const char* script) {
  if (sqlite3_exec(database, script, nullptr, nullptr, nullptr) != SQLITE_OK) throw failure(database, script);
}

/// A path as a `file:` URI: every byte but the unreserved ones and the slash is percent-encoded.
std::string immutable_uri(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  // An absolute path follows an empty authority, or one that begins with two slashes would be taken for a host.
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char character : path) {
    if (kPlain.find(character) != std::string_view::npos) {
      uri += character;
    } else {
      const auto byte = static_cast<unsigned char>(character);
      uri += '%';
      uri += kHex[byte >> 4U];
      uri += kHex[byte & 15U];
    }
  }
  return uri + "?immutable=1";
}

Statement prepare(sqlite3* database, std::string_view text) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int status =
      sqlite3_prepare_v3(database, text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT, &raw, &rest);
  if (status != SQLITE_OK) throw failure(database, text);
  Statement statement(raw);
  const std::string_view tail(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (statement == nullptr || tail.find_first_not_of(" \n\t;") != std::string_view::npos) {
    throw std::logic_error("not exactly one SQL statement: " + std::string(text));
  }
  return statement;
}

/// Binds without copying: the parameters outlive the stepping.
int bind(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return sqlite3_bind_int64(statement, index, *integer);
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  if (const auto* blob = std::get_if<Blob>(&value)) {
    return sqlite3_bind_blob64(statement, index, blob->bytes.data(), blob->bytes.size(), SQLITE_STATIC);
  }
  return sqlite3_bind_null(statement, index);
}

std::string column_bytes(sqlite3_stmt* statement, int column) {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
  const int size = sqlite3_column_bytes(statement, column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

Value column_value(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_TEXT:
      return column_bytes(statement, column);
    case SQLITE_BLOB:
      return Blob{column_bytes(statement, column)};
    default:
      throw Failure("SQLite: a floating-point value where the state holds none");
  }
}

/// Leaves a cached statement ready for its next use, however this one ended.
class ResetAfterUse {
 public:
  explicit ResetAfterUse(sqlite3_stmt* statement) : statement_(statement) {}
  ~ResetAfterUse() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  ResetAfterUse(const ResetAfterUse&) = delete;
  ResetAfterUse& operator=(const ResetAfterUse&) = delete;

 private:
  sqlite3_stmt* statement_;
};

class SqliteTransaction final : public Transaction {
 public:
  explicit SqliteTransaction(sqlite3* database) : database_(database) {}

  Rows execute(std::string_view text, const Row& parameters) override {
    sqlite3_stmt* statement = cached(text);
    const ResetAfterUse reset(statement);
    if (sqlite3_bind_parameter_count(statement) != static_cast<int>(parameters.size())) {
      throw std::logic_error("wrong number of parameters: " + std::string(text));
    }
    int index = 0;
    for (const auto& parameter : parameters) {
      if (bind(statement, ++index, parameter) != SQLITE_OK) throw failure(database_, text);
    }
    return step_all(statement, text);
  }

  std::string_view in_order_of_key() const override { return " WITHOUT ROWID"; }

 private:
  sqlite3_stmt* cached(std::string_view text) {
    auto found = statements_.find(text);
    if (found == statements_.end()) {
      if (statements_.size() >= kStatementsMax) statements_.clear();
      found = statements_.emplace(text, prepare(database_, text)).first;
    }
    return found->second.get();
  }

  Rows step_all(sqlite3_stmt* statement, std::string_view text) {
    Rows rows;
    int status = sqlite3_step(statement);
    for (; status == SQLITE_ROW; status = sqlite3_step(statement)) {
      const int columns = sqlite3_data_count(statement);
      Row& row = rows.emplace_back();
      row.reserve(static_cast<std::size_t>(columns));
      for (int column = 0; column < columns; ++column) row.push_back(column_value(statement, column));
    }
    if (status != SQLITE_DONE) throw failure(database_, text);
    return rows;
  }

  sqlite3* database_;
  std::map<std::string, Statement, std::less<>> statements_;
};

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(SqliteHandle database) : database_(std::move(database)), transaction_(database_.get()) {
    sqlite3* raw = database_.get();
    // Where the VFS cannot share memory SQLite keeps its rollback journal, and the answer says so without error.
    run_script(raw, "PRAGMA journal_mode = WAL");
    run_script(raw, "PRAGMA synchronous = FULL");  // C7.6: an answered write is never forgotten
    run_script(raw, "PRAGMA foreign_keys = ON");
    run_script(raw, "PRAGMA temp_store = MEMORY");
    run_script(raw, "PRAGMA secure_delete = ON");  // C8, C9: what is removed does not stay in a page
    // Nor in the log, which is cut when it begins anew after a checkpoint.
    run_script(raw, "PRAGMA journal_size_limit = 0");
    run_script(raw, kAutocheckpoint.data());
  }

  void transact(const std::function<void(Transaction&)>& body) override {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (running_) throw std::logic_error("transact inside transact");
    const Running running(running_);
    // IMMEDIATE: a writer that has to wait waits here, where nothing was read yet.
    run_script(database_.get(), "BEGIN IMMEDIATE");
    try {
      body(transaction_);
      run_script(database_.get(), "COMMIT");
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

  /// Some faults (a full disk) have rolled back already; what failed first is what the caller gets to know.
  void roll_back() noexcept {
    if (sqlite3_get_autocommit(database_.get()) == 0) {
      sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }

  SqliteHandle database_;
  SqliteTransaction transaction_;  // goes before the handle: its statements belong to it
  // Recursive only so that a nested call is found and reported instead of waiting for itself.
  std::recursive_mutex mutex_;
  bool running_ = false;
};

}  // namespace

void CloseSqlite::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

SqliteHandle open_sqlite(const std::string& name, OpenMode mode, const std::string& vfs) {
  const bool writes = mode == OpenMode::read_write_create;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  flags |= SQLITE_OPEN_NOMUTEX;
  // A named VFS says itself which of its files never change.
  const bool as_uri = mode == OpenMode::read_only_immutable && vfs.empty();
  if (as_uri) flags |= SQLITE_OPEN_URI;
  const std::string location = as_uri ? immutable_uri(name) : name;
  sqlite3* raw = nullptr;
  const int status = sqlite3_open_v2(location.c_str(), &raw, flags, vfs.empty() ? nullptr : vfs.c_str());
  SqliteHandle database(raw);
  if (status != SQLITE_OK) throw failure(raw, "cannot open " + name);
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kBusyWaitMs);
  if (!writes) run_script(raw, "PRAGMA mmap_size = 274877906944");
  // SQLite reads nothing on opening: a file that is no database is to be found here, not at the first request.
  if (sqlite3_exec(raw, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw failure(raw, "cannot read " + name);
  }
  return database;
}

std::unique_ptr<Store> make_sqlite_store(SqliteHandle database) {
  return std::make_unique<SqliteStore>(std::move(database));
}

}  // namespace tonearm::sql
