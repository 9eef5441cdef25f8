#include "postgresql/postgresql_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "postgresql/postgresql_pool.h"
#include "system/work_deadline.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Query = PostgresqlConnection::Query;

/// How long a transaction is retried, and how long the driver looks up its outcome: less than a client waits.
constexpr milliseconds kRetryTime{5'000};
constexpr milliseconds kBackoffMax{50};
/// The minimum time for the lookup, even after the call's deadline, because the write may have been committed.
constexpr milliseconds kLookUpMin{1'000};

constexpr std::string_view kCommit = "COMMIT";
constexpr std::string_view kTime = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint";

/// Has one row for each connection: the number of its last committed write. The lookup of a lost COMMIT closes the row:
/// if that COMMIT still arrives, it fails on the NOT NULL column.
constexpr std::string_view kWritesTable =
    "CREATE TABLE IF NOT EXISTS state_connections (connection TEXT NOT NULL, last_write BIGINT NOT NULL,"
    " is_closed BIGINT NOT NULL, used TIMESTAMPTZ NOT NULL, PRIMARY KEY (connection))";
constexpr std::string_view kRecordWrite =
    "INSERT INTO state_connections (connection, last_write, is_closed, used) VALUES (?1, ?2, 0, clock_timestamp())"
    " ON CONFLICT (connection) DO UPDATE SET used = excluded.used,"
    " last_write = CASE WHEN state_connections.is_closed = 0 THEN excluded.last_write END";
constexpr std::string_view kCloseConnection =
    "INSERT INTO state_connections (connection, last_write, is_closed, used) VALUES (?1, 0, 1, clock_timestamp())"
    " ON CONFLICT (connection) DO UPDATE SET used = excluded.used, is_closed = 1 RETURNING last_write";
/// Removes some old rows, because every connection leaves one.
constexpr std::string_view kSweep =
    "DELETE FROM state_connections WHERE connection IN (SELECT connection FROM state_connections"
    " WHERE used < clock_timestamp() - INTERVAL '1 day' LIMIT 500 FOR UPDATE SKIP LOCKED) RETURNING connection";
constexpr std::size_t kSweepBatch = 500;

/// Selects a table that belongs neither to the state nor to the driver nor to an extension.
std::string foreign_tables(sql::Purpose purpose) {
  return "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
         " WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')"
         " AND c.relname <> 'state_connections' AND NOT EXISTS (SELECT 1 FROM pg_depend d"
         " WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')"
         " AND NOT EXISTS (SELECT 1 FROM pg_class s WHERE s.relnamespace = c.relnamespace AND s.relname = '" +
         std::string(purpose.table) +
         "')"
         " ORDER BY c.relname LIMIT 1";
}

constexpr std::string_view kUnusableIndex =
    "SELECT c.relname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
    " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND NOT i.indisvalid LIMIT 1";

using Body = std::function<void(sql::Transaction&)>;

enum class Isolation { serializable, by_statement };

std::string_view begin_of(Isolation isolation) {
  return isolation == Isolation::serializable ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
                                              : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
}

bool is_reading(std::string_view statement) { return statement.starts_with("SELECT"); }
bool is_ddl(std::string_view statement) {
  return statement.starts_with("CREATE") || statement.starts_with("ALTER") || statement.starts_with("DROP");
}

/// Returns whether a DDL statement failed because its table, index or column exists. Only its name is compared.
bool is_repeated_ddl(const std::string& state) { return state == "42P07" || state == "42710" || state == "42701"; }

/// Sends BEGIN and the query for the time with the first statement, so that neither costs a round trip.
class PostgresqlTransaction final : public sql::Transaction {
 public:
  PostgresqlTransaction(PostgresqlConnection& connection, Isolation isolation, PostgresqlOptions::Time time)
      : connection_(connection), isolation_(isolation), time_(time) {}

  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    const Query query{statement, &parameters};
    return std::move(execute_all({&query, 1}).front());
  }

  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
    if (parameters.empty()) return {};
    std::vector<Query> queries;
    queries.reserve(parameters.size());
    for (const sql::Row& row : parameters) queries.push_back({statement, &row});
    return execute_all(queries);
  }

  std::optional<std::int64_t> now_ms() override {
    if (time_ == PostgresqlOptions::Time::of_caller) return std::nullopt;
    if (!began_) execute_all({});
    return now_ms_;
  }

  bool began() const { return began_; }
  bool failed() const { return failed_; }
  bool wrote() const { return wrote_; }

 private:
  std::vector<sql::Rows> execute_all(std::span<const Query> queries) {
    std::vector<Query> all;
    if (!began_) {
      all.push_back({begin_of(isolation_)});
      if (time_ == PostgresqlOptions::Time::of_database) all.push_back({kTime});
    }
    const std::size_t before = all.size();
    all.insert(all.end(), queries.begin(), queries.end());
    for (const Query& query : queries) {
      if (is_ddl(query.text)) throw std::logic_error("DDL in a transaction: " + std::string(query.text));
      wrote_ = wrote_ || !is_reading(query.text);
    }
    began_ = true;
    failed_ = true;
    std::vector<sql::Rows> answers = connection_.execute(all);
    failed_ = false;
    if (before == 2) now_ms_ = std::get<std::int64_t>(answers[1].at(0).at(0));
    answers.erase(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(before));
    return answers;
  }

  PostgresqlConnection& connection_;
  Isolation isolation_;
  PostgresqlOptions::Time time_;
  std::optional<std::int64_t> now_ms_;
  bool began_ = false;
  bool failed_ = false;
  bool wrote_ = false;
};

class PostgresqlStore final : public PostgresqlState {
 public:
  explicit PostgresqlStore(const PostgresqlOptions& options)
      : pool_(options.url, options.connections_max, options.check_after),
        time_(options.time),
        sweep_every_(options.sweep_every) {
    check_purpose(options.purpose);
    execute_ddl(kWritesTable);
    sweep_when_due();
  }

  void transact(const Body& body) override {
    run(body, Isolation::serializable, Record::yes);
    sweep_when_due();
  }
  void transact_read_committed(const Body& body) override {
    run(body, Isolation::by_statement, Record::yes);
    sweep_when_due();
  }
  void change_schema(sql::DiskSpace /*space*/, const std::function<void(sql::SchemaChange&)>& body) override {
    StatementByStatement change(*this);
    body(change);
  }
  bool is_shared() const override { return true; }
  PostgresqlCounts counts() const override {
    const auto pool = pool_.counts();
    return {pool.open, pool.idle, pool.waiting, retries_};
  }

 private:
  /// Distributed databases that speak PostgreSQL's protocol commit each DDL statement by itself
  /// (docs/adr/0163-ddl-statements-run-by-themselves.md).
  class StatementByStatement final : public sql::SchemaChange {
   public:
    explicit StatementByStatement(PostgresqlStore& store) : store_(store) {}
    void execute_ddl(std::string_view statement) override { store_.execute_ddl(statement); }
    void transact(const Body& body) override { store_.transact(body); }
    std::string_view create_table_suffix() const override { return {}; }

   private:
    PostgresqlStore& store_;
  };

  /// Whether a write stores its number, by which another connection can look up its outcome.
  enum class Record { yes, no };

  struct Attempt {
    enum class Outcome { done, conflict, lost, lost_in_commit } outcome = Outcome::done;
    std::string connection;
    std::int64_t write = 0;  // its number on that connection; 0: COMMIT was not sent
    std::string failure;
    std::string state;  // the SQLSTATE of the failure
    PostgresqlPool::Lease::Origin origin = PostgresqlPool::Lease::Origin::was_idle;
  };

  using Work = std::function<void(PostgresqlConnection&, Attempt&)>;

  void check_purpose(sql::Purpose purpose);
  void execute_ddl(std::string_view statement);
  static void check_usable(PostgresqlConnection& connection, std::string_view statement);
  void run(const Body& body, Isolation isolation, Record record);
  void retry(const Work& work);
  Attempt attempt(const Work& work, PostgresqlPool::Deadline deadline);
  static void commit(PostgresqlConnection& connection, const PostgresqlTransaction& transaction, Record record,
                     Attempt& attempt);
  static bool is_permanent(const Attempt& last, const Attempt& before);
  static void roll_back(PostgresqlConnection& connection) noexcept;
  bool was_committed(const Attempt& lost);
  void sweep_when_due() noexcept;

  PostgresqlPool pool_;
  PostgresqlOptions::Time time_;
  std::chrono::milliseconds sweep_every_;
  std::atomic<std::uint64_t> retries_{0};
  std::atomic<steady_clock::time_point> next_sweep_{steady_clock::time_point()};
};

void PostgresqlStore::check_purpose(sql::Purpose purpose) {
  auto lease = pool_.acquire(steady_clock::now() + kRetryTime);
  const sql::Rows rows = lease->execute_one(foreign_tables(purpose));
  if (rows.empty()) return;
  throw sql::Failure("PostgreSQL: the database contains tables (" + std::get<std::string>(rows[0].at(0)) +
                     "), but is not " + std::string(purpose.name));
}

/// Executes the statement outside of a transaction. What it creates may exist.
void PostgresqlStore::execute_ddl(std::string_view statement) {
  retry([&](PostgresqlConnection& connection, Attempt& /*attempt*/) {
    try {
      connection.execute_one(statement);
      return;
    } catch (const PostgresqlFailure& failure) {
      if (!is_repeated_ddl(failure.state())) throw;
    }
    check_usable(connection, statement);
  });
}

/// Throws unless what a repeated statement creates can be used: in a distributed database it may still be made, or have
/// failed half-way.
void PostgresqlStore::check_usable(PostgresqlConnection& connection, std::string_view statement) {
  const sql::Rows unusable = connection.execute_one(kUnusableIndex);
  if (!unusable.empty()) {
    throw sql::Failure("PostgreSQL: the index " + std::get<std::string>(unusable[0].at(0)) +
                       " is incomplete: wait until it is made, or drop it, and start again");
  }
  constexpr std::string_view kTable = "ALTER TABLE ";
  constexpr std::string_view kColumn = " ADD COLUMN ";
  const std::size_t column = statement.find(kColumn);
  if (column == std::string_view::npos) return;
  const std::string_view table = statement.substr(kTable.size(), column - kTable.size());
  const std::string_view rest = statement.substr(column + kColumn.size());
  connection.execute_one("SELECT " + std::string(rest.substr(0, rest.find(' '))) + " FROM " + std::string(table) +
                         " LIMIT 0");
}

void PostgresqlStore::run(const Body& body, Isolation isolation, Record record) {
  retry([&](PostgresqlConnection& connection, Attempt& attempt) {
    PostgresqlTransaction transaction(connection, isolation, time_);
    try {
      body(transaction);
      commit(connection, transaction, record, attempt);
    } catch (...) {
      if (transaction.began()) roll_back(connection);
      throw;
    }
  });
}

/// Runs `work` until it succeeds. Throws sql::Failure after a few seconds, or if another attempt is useless.
void PostgresqlStore::retry(const Work& work) {
  const auto deadline = std::min(steady_clock::now() + kRetryTime, WorkDeadline::current());
  milliseconds pause{1};
  Attempt before;
  while (true) {
    Attempt last = attempt(work, deadline);
    if (last.outcome == Attempt::Outcome::done) return;
    if (last.outcome == Attempt::Outcome::lost_in_commit && was_committed(last)) return;
    if (steady_clock::now() >= deadline || is_permanent(last, before)) throw sql::Failure(last.failure);
    ++retries_;
    // The pause is different for each connection, so that conflicting transactions do not conflict again.
    const auto jitter = std::hash<std::string>()(last.connection + std::to_string(pause.count())) % 1'000;
    std::this_thread::sleep_for(pause * static_cast<std::int64_t>(jitter) / 1'000);
    pause = std::min(pause * 2, kBackoffMax);
    before = std::move(last);
  }
}

/// Returns whether a retry cannot help. A table that is missing once may have been dropped during the transaction; one
/// that is missing twice does not exist. A failure that repeats on a new connection is not a failure of the connection,
/// unless the server is stopping (57P..).
bool PostgresqlStore::is_permanent(const Attempt& last, const Attempt& before) {
  if (last.state == "42P01") return last.failure == before.failure;
  return last.outcome == Attempt::Outcome::lost && last.origin == PostgresqlPool::Lease::Origin::made_now &&
         !last.state.empty() && last.state == before.state && !last.state.starts_with("57P");
}

PostgresqlStore::Attempt PostgresqlStore::attempt(const Work& work, PostgresqlPool::Deadline deadline) {
  auto lease = pool_.acquire(deadline);
  lease->set_deadline(deadline);
  Attempt attempt;
  attempt.connection = lease->name();
  attempt.origin = lease.origin();
  try {
    work(*lease, attempt);
  } catch (const Conflict& failure) {
    attempt.outcome = Attempt::Outcome::conflict;
    attempt.failure = failure.what();
    attempt.state = failure.state();
  } catch (const ConnectionLost& failure) {
    // A missed deadline and an unknown outcome prove nothing about the other connections.
    const bool is_alone = dynamic_cast<const OutOfTime*>(&failure) != nullptr || failure.state() == kUnknownOutcome;
    is_alone ? lease->abandon() : lease.discard();
    attempt.outcome = attempt.write == 0 ? Attempt::Outcome::lost : Attempt::Outcome::lost_in_commit;
    attempt.failure = failure.what();
    attempt.state = failure.state();
  }
  return attempt;
}

void PostgresqlStore::commit(PostgresqlConnection& connection, const PostgresqlTransaction& transaction, Record record,
                             Attempt& attempt) {
  if (!transaction.began()) return;
  if (transaction.failed()) throw std::logic_error("the transaction continued after a failed statement");
  if (!transaction.wrote() || record == Record::no) {
    connection.execute_one(kCommit);
    return;
  }
  attempt.write = connection.next_write();
  const sql::Row number{connection.name(), attempt.write};
  const std::array<Query, 2> queries{{{kRecordWrite, &number}, {kCommit}}};
  connection.execute(queries);
}

/// If it fails, the connection is out of sync and not reused.
void PostgresqlStore::roll_back(PostgresqlConnection& connection) noexcept {
  if (!connection.in_sync()) return;
  try {
    connection.execute_one("ROLLBACK");
  } catch (const sql::Failure&) {
    connection.abandon();
  }
}

/// Waits for the lost transaction if it still runs. After a negative result it can no longer commit.
bool PostgresqlStore::was_committed(const Attempt& lost) {
  const auto now = steady_clock::now();
  const auto deadline = std::min(now + kRetryTime, std::max(now + kLookUpMin, WorkDeadline::current()));
  const sql::Row connection{lost.connection};
  const Query query{kCloseConnection, &connection};
  while (true) {
    try {
      auto lease = pool_.acquire(deadline);
      lease->set_deadline(deadline);
      const auto answers = lease->execute({&query, 1});
      return std::get<std::int64_t>(answers.front().at(0).at(0)) == lost.write;
    } catch (const sql::Failure& failure) {
      if (steady_clock::now() >= deadline) {
        throw sql::Failure(lost.failure + "; whether its last write was committed is unknown: " + failure.what());
      }
    }
    std::this_thread::sleep_for(kBackoffMax);
  }
}

/// Runs one step in the first call after it is due, and the next one soon if rows are left. A failure does not affect
/// the caller's transaction; the step is repeated when it is due again.
void PostgresqlStore::sweep_when_due() noexcept {
  const auto now = steady_clock::now();
  auto due = next_sweep_.load();
  if (now < due || !next_sweep_.compare_exchange_strong(due, now + sweep_every_)) return;
  std::size_t removed = 0;
  const auto sweep = [&](sql::Transaction& transaction) { removed = transaction.execute(kSweep).size(); };
  try {
    run(sweep, Isolation::by_statement, Record::no);
  } catch (const std::exception&) {
    removed = 0;
  }
  if (removed == kSweepBatch) next_sweep_ = now;
}

}  // namespace

bool is_postgresql_url(std::string_view state) {
  return state.starts_with("postgresql://") || state.starts_with("postgres://");
}

std::unique_ptr<PostgresqlState> open_postgresql(const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlStore>(options);
}

}  // namespace tonearm::native
