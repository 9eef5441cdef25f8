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

/// How long a transaction is tried, and how long the driver looks up what became of it: less than a client waits.
constexpr milliseconds kPatience{5'000};
constexpr milliseconds kBackoffMax{50};
/// What the look-up has where the time of the call is over: of a write that may have been made, the truth is worth it.
constexpr milliseconds kLookUpMin{1'000};

constexpr std::string_view kCommit = "COMMIT";
constexpr std::string_view kTime = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint";

/// One row for each connection: the number of its last write that was committed. A connection whose last COMMIT was
/// settled by another is closed: should its COMMIT still come, it fails on the column that may not be null.
constexpr std::string_view kWritesTable =
    "CREATE TABLE IF NOT EXISTS state_connections (connection TEXT NOT NULL, last_write BIGINT NOT NULL,"
    " is_closed BIGINT NOT NULL, used TIMESTAMPTZ NOT NULL, PRIMARY KEY (connection))";
constexpr std::string_view kRecordWrite =
    "INSERT INTO state_connections (connection, last_write, is_closed, used) VALUES (?1, ?2, 0, clock_timestamp())"
    " ON CONFLICT (connection) DO UPDATE SET used = excluded.used,"
    " last_write = CASE WHEN state_connections.is_closed = 0 THEN excluded.last_write END";
constexpr std::string_view kSettleWrite =
    "INSERT INTO state_connections (connection, last_write, is_closed, used) VALUES (?1, 0, 1, clock_timestamp())"
    " ON CONFLICT (connection) DO UPDATE SET used = excluded.used, is_closed = 1 RETURNING last_write";
/// A step of it: every connection that was ever made left a row.
constexpr std::string_view kForgetWrites =
    "DELETE FROM state_connections WHERE connection IN (SELECT connection FROM state_connections"
    " WHERE used < clock_timestamp() - INTERVAL '1 day' LIMIT 500 FOR UPDATE SKIP LOCKED) RETURNING connection";
constexpr std::size_t kForgottenAtOnce = 500;

/// What stands in the schema that is not the state's, the driver's, nor an extension's.
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

using Body = std::function<void(sql::Transaction&)>;

enum class Isolation { serializable, by_statement };

std::string_view begin_of(Isolation isolation) {
  return isolation == Isolation::serializable ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
                                              : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
}

bool is_reading(std::string_view statement) { return statement.starts_with("SELECT"); }

/// Its first query carries BEGIN and asks for the time, so that neither costs a round trip.
class PostgresqlTransaction final : public sql::Transaction {
 public:
  PostgresqlTransaction(PostgresqlConnection& connection, Isolation isolation, PostgresqlOptions::Time time)
      : connection_(connection), isolation_(isolation), time_(time) {}

  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    const Query query{statement, &parameters};
    return std::move(execute_all({&query, 1}).front());
  }

  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
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
    for (const Query& query : queries) wrote_ = wrote_ || !is_reading(query.text);
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
    refuse_foreign_database(options.purpose);
    const auto make = [](sql::Transaction& transaction) { transaction.execute(kWritesTable); };
    run(make, Isolation::by_statement, Record::no);
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
  bool is_shared() const override { return true; }
  PostgresqlCounts counts() const override {
    const auto pool = pool_.counts();
    return {pool.open, pool.idle, pool.waiting, retries_};
  }

 private:
  /// Whether a write leaves its number, by which another connection can look up what became of it.
  enum class Record { yes, no };

  struct Attempt {
    enum class Outcome { done, in_the_way, lost, lost_in_commit } outcome = Outcome::done;
    std::string connection;
    std::int64_t write = 0;  // on that connection; 0: its COMMIT was not sent
    std::string failure;
    std::string state;  // as the server calls the failure
    PostgresqlPool::Lease::Origin origin = PostgresqlPool::Lease::Origin::was_idle;
  };

  void refuse_foreign_database(sql::Purpose purpose);
  void run(const Body& body, Isolation isolation, Record record);
  Attempt attempt(const Body& body, Isolation isolation, Record record, PostgresqlPool::Deadline deadline);
  static void commit(PostgresqlConnection& connection, const PostgresqlTransaction& transaction, Record record,
                     Attempt& attempt);
  static bool is_lasting(const Attempt& last, const Attempt& before);
  static void roll_back(PostgresqlConnection& connection) noexcept;
  bool was_committed(const Attempt& lost);
  void sweep_when_due() noexcept;

  PostgresqlPool pool_;
  PostgresqlOptions::Time time_;
  std::chrono::milliseconds sweep_every_;
  std::atomic<std::uint64_t> retries_{0};
  std::atomic<steady_clock::time_point> next_sweep_{steady_clock::time_point()};
};

void PostgresqlStore::refuse_foreign_database(sql::Purpose purpose) {
  auto lease = pool_.take(steady_clock::now() + kPatience);
  const sql::Rows rows = lease->execute_one(foreign_tables(purpose));
  if (rows.empty()) return;
  throw sql::Failure("PostgreSQL: the database holds tables (" + std::get<std::string>(rows[0].at(0)) +
                     "), but is not " + std::string(purpose.name));
}

void PostgresqlStore::run(const Body& body, Isolation isolation, Record record) {
  const auto deadline = std::min(steady_clock::now() + kPatience, WorkDeadline::current());
  milliseconds pause{1};
  Attempt before;
  while (true) {
    Attempt last = attempt(body, isolation, record, deadline);
    if (last.outcome == Attempt::Outcome::done) return;
    if (last.outcome == Attempt::Outcome::lost_in_commit && was_committed(last)) return;
    if (steady_clock::now() >= deadline || is_lasting(last, before)) throw sql::Failure(last.failure);
    ++retries_;
    // Those that met must not meet again: each waits for another while.
    const auto spread = std::hash<std::string>()(last.connection + std::to_string(pause.count())) % 1'000;
    std::this_thread::sleep_for(pause * static_cast<std::int64_t>(spread) / 1'000);
    pause = std::min(pause * 2, kBackoffMax);
    before = std::move(last);
  }
}

/// Whether trying again cannot help. A table that was dropped during a transaction is missed once: the next one sees
/// that it is gone; one that is missed twice was never there. A failure that a new connection meets again is not one of
/// the connection, unless the server is stopping (57P..).
bool PostgresqlStore::is_lasting(const Attempt& last, const Attempt& before) {
  if (last.state == "42P01") return last.failure == before.failure;
  return last.outcome == Attempt::Outcome::lost && last.origin == PostgresqlPool::Lease::Origin::made_now &&
         !last.state.empty() && last.state == before.state && !last.state.starts_with("57P");
}

PostgresqlStore::Attempt PostgresqlStore::attempt(const Body& body, Isolation isolation, Record record,
                                                  PostgresqlPool::Deadline deadline) {
  auto lease = pool_.take(deadline);
  lease->set_deadline(deadline);
  PostgresqlTransaction transaction(*lease, isolation, time_);
  Attempt attempt;
  attempt.connection = lease->name();
  attempt.origin = lease.origin();
  try {
    body(transaction);
    commit(*lease, transaction, record, attempt);
  } catch (const Conflict& failure) {
    roll_back(*lease);
    attempt.outcome = Attempt::Outcome::in_the_way;
    attempt.failure = failure.what();
    attempt.state = failure.state();
  } catch (const ConnectionLost& failure) {
    // That the caller's time was over says nothing of the other connections.
    const bool is_alone = dynamic_cast<const OutOfTime*>(&failure) != nullptr;
    is_alone ? lease->abandon() : lease.discard();
    attempt.outcome = attempt.write == 0 ? Attempt::Outcome::lost : Attempt::Outcome::lost_in_commit;
    attempt.failure = failure.what();
    attempt.state = failure.state();
  } catch (...) {
    if (transaction.began()) roll_back(*lease);
    throw;
  }
  return attempt;
}

void PostgresqlStore::commit(PostgresqlConnection& connection, const PostgresqlTransaction& transaction, Record record,
                             Attempt& attempt) {
  if (!transaction.began()) return;
  if (transaction.failed()) throw std::logic_error("a statement failed and its transaction went on");
  if (!transaction.wrote() || record == Record::no) {
    connection.execute_one(kCommit);
    return;
  }
  attempt.write = connection.next_write();
  const sql::Row number{connection.name(), attempt.write};
  const std::array<Query, 2> queries{{{kRecordWrite, &number}, {kCommit}}};
  connection.execute(queries);
}

/// A connection on which it fails is out of sync, and is not used again.
void PostgresqlStore::roll_back(PostgresqlConnection& connection) noexcept {
  if (!connection.in_sync()) return;
  try {
    connection.execute_one("ROLLBACK");
  } catch (const sql::Failure&) {
    connection.abandon();
  }
}

/// Waits for the lost transaction where it still runs. After this it cannot be committed any more if it was not.
bool PostgresqlStore::was_committed(const Attempt& lost) {
  const auto now = steady_clock::now();
  const auto deadline = std::min(now + kPatience, std::max(now + kLookUpMin, WorkDeadline::current()));
  const sql::Row connection{lost.connection};
  const Query query{kSettleWrite, &connection};
  while (true) {
    try {
      auto lease = pool_.take(deadline);
      lease->set_deadline(deadline);
      const auto answers = lease->execute({&query, 1});
      return std::get<std::int64_t>(answers.front().at(0).at(0)) == lost.write;
    } catch (const sql::Failure& failure) {
      if (steady_clock::now() >= deadline) {
        throw sql::Failure(lost.failure + "; whether its last write was made is not known: " + failure.what());
      }
    }
    std::this_thread::sleep_for(kBackoffMax);
  }
}

/// One step, and the next one soon where there is more. The call that comes when it is due does it. If the step fails,
/// the write of that call is not affected, and the step is tried again when it is due again.
void PostgresqlStore::sweep_when_due() noexcept {
  const auto now = steady_clock::now();
  auto due = next_sweep_.load();
  if (now < due || !next_sweep_.compare_exchange_strong(due, now + sweep_every_)) return;
  std::size_t forgotten = 0;
  const auto forget = [&](sql::Transaction& transaction) { forgotten = transaction.execute(kForgetWrites).size(); };
  try {
    run(forget, Isolation::by_statement, Record::no);
  } catch (const std::exception&) {
    forgotten = 0;
  }
  if (forgotten == kForgottenAtOnce) next_sweep_ = now;
}

}  // namespace

bool is_postgresql_url(std::string_view state) {
  return state.starts_with("postgresql://") || state.starts_with("postgres://");
}

std::unique_ptr<PostgresqlState> open_postgresql(const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlStore>(options);
}

}  // namespace tonearm::native
