#include "postgresql_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "postgresql_pool.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Question = PostgresqlConnection::Question;

/// How long a transaction is tried, and how long it is asked what became of it: below what a client waits.
constexpr milliseconds kPatience{5'000};
constexpr milliseconds kBackoffMax{50};

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
constexpr std::string_view kForeignTables =
    "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')"
    " AND c.relname <> 'state_connections' AND NOT EXISTS (SELECT 1 FROM pg_depend d"
    " WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')"
    " AND NOT EXISTS (SELECT 1 FROM pg_class s WHERE s.relnamespace = c.relnamespace AND s.relname = 'state_meta')"
    " ORDER BY c.relname LIMIT 1";

using Body = std::function<void(sql::Transaction&)>;

enum class Isolation { serializable, by_statement };

std::string_view begin_of(Isolation isolation) {
  return isolation == Isolation::serializable ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
                                              : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
}

bool is_reading(std::string_view statement) { return statement.starts_with("SELECT"); }

/// Its first question carries BEGIN and asks for the time, so that neither costs a journey.
class PostgresqlTransaction final : public sql::Transaction {
 public:
  PostgresqlTransaction(PostgresqlConnection& connection, Isolation isolation, PostgresqlOptions::Time time)
      : connection_(connection), isolation_(isolation), time_(time) {}

  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    const Question question{statement, &parameters};
    return std::move(ask({&question, 1}).front());
  }

  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
    std::vector<Question> questions;
    questions.reserve(parameters.size());
    for (const sql::Row& row : parameters) questions.push_back({statement, &row});
    return ask(questions);
  }

  std::optional<std::int64_t> now_ms() override {
    if (time_ == PostgresqlOptions::Time::of_caller) return std::nullopt;
    if (!began_) ask({});
    return now_ms_;
  }

  bool began() const { return began_; }
  bool failed() const { return failed_; }
  bool wrote() const { return wrote_; }

 private:
  std::vector<sql::Rows> ask(std::span<const Question> questions) {
    std::vector<Question> all;
    if (!began_) {
      all.push_back({begin_of(isolation_)});
      if (time_ == PostgresqlOptions::Time::of_database) all.push_back({kTime});
    }
    const std::size_t before = all.size();
    all.insert(all.end(), questions.begin(), questions.end());
    for (const Question& question : questions) wrote_ = wrote_ || !is_reading(question.text);
    began_ = true;
    failed_ = true;
    std::vector<sql::Rows> answers = connection_.ask(all);
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

class PostgresqlStore final : public sql::Store {
 public:
  explicit PostgresqlStore(const PostgresqlOptions& options)
      : pool_(options.url, options.connections_max, options.check_after),
        time_(options.time),
        sweep_every_(options.sweep_every) {
    refuse_foreign_database();
    const auto make = [](sql::Transaction& transaction) { transaction.execute(kWritesTable); };
    run(make, Isolation::by_statement, Record::no);
    sweep_when_due();
  }

  void transact(const Body& body) override {
    run(body, Isolation::serializable, Record::yes);
    sweep_when_due();
  }
  void transact_by_statement(const Body& body) override {
    run(body, Isolation::by_statement, Record::yes);
    sweep_when_due();
  }
  bool is_shared() const override { return true; }

 private:
  /// Whether a write leaves its number for whoever has to look what became of it.
  enum class Record { yes, no };

  struct Attempt {
    enum class Outcome { done, in_the_way, lost, lost_in_commit } outcome = Outcome::done;
    std::string connection;
    std::int64_t write = 0;  // on that connection; 0: its COMMIT was not sent
    std::string fault;
    std::string state;  // as the server calls the fault
    PostgresqlPool::Lease::Origin origin = PostgresqlPool::Lease::Origin::was_idle;
  };

  void refuse_foreign_database();
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
  std::atomic<steady_clock::time_point> next_sweep_{steady_clock::time_point()};
};

void PostgresqlStore::refuse_foreign_database() {
  auto lease = pool_.take(steady_clock::now() + kPatience);
  const sql::Rows rows = lease->ask_one(kForeignTables);
  if (rows.empty()) return;
  throw sql::Failure("PostgreSQL: the database holds tables (" + std::get<std::string>(rows[0].at(0)) +
                     "), but no state of accounts");
}

void PostgresqlStore::run(const Body& body, Isolation isolation, Record record) {
  const auto deadline = steady_clock::now() + kPatience;
  milliseconds pause{1};
  Attempt before;
  while (true) {
    Attempt last = attempt(body, isolation, record, deadline);
    if (last.outcome == Attempt::Outcome::done) return;
    if (last.outcome == Attempt::Outcome::lost_in_commit && was_committed(last)) return;
    if (steady_clock::now() >= deadline || is_lasting(last, before)) throw sql::Failure(last.fault);
    // Those that met must not meet again: each waits for another while.
    const auto spread = std::hash<std::string>()(last.connection + std::to_string(pause.count())) % 1'000;
    std::this_thread::sleep_for(pause * static_cast<std::int64_t>(spread) / 1'000);
    pause = std::min(pause * 2, kBackoffMax);
    before = std::move(last);
  }
}

/// A table that was dropped beside a transaction is not asked for again: the next one sees that it is gone. One that is
/// missed twice was never there. And what a new connection meets again is no matter of connections, unless the server
/// ends (57P..).
bool PostgresqlStore::is_lasting(const Attempt& last, const Attempt& before) {
  if (last.state == "42P01") return last.fault == before.fault;
  return last.outcome == Attempt::Outcome::lost && last.origin == PostgresqlPool::Lease::Origin::made_now &&
         !last.state.empty() && last.state == before.state && !last.state.starts_with("57P");
}

PostgresqlStore::Attempt PostgresqlStore::attempt(const Body& body, Isolation isolation, Record record,
                                                  PostgresqlPool::Deadline deadline) {
  auto lease = pool_.take(deadline);
  PostgresqlTransaction transaction(*lease, isolation, time_);
  Attempt attempt;
  attempt.connection = lease->name();
  attempt.origin = lease.origin();
  try {
    body(transaction);
    commit(*lease, transaction, record, attempt);
  } catch (const Conflict& fault) {
    roll_back(*lease);
    attempt.outcome = Attempt::Outcome::in_the_way;
    attempt.fault = fault.what();
    attempt.state = fault.state();
  } catch (const ConnectionLost& fault) {
    lease.discard();
    attempt.outcome = attempt.write == 0 ? Attempt::Outcome::lost : Attempt::Outcome::lost_in_commit;
    attempt.fault = fault.what();
    attempt.state = fault.state();
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
    connection.ask_one(kCommit);
    return;
  }
  attempt.write = connection.next_write();
  const sql::Row number{connection.name(), attempt.write};
  const std::array<Question, 2> questions{{{kRecordWrite, &number}, {kCommit}}};
  connection.ask(questions);
}

/// A connection on which it fails is out of step, and will not be used again.
void PostgresqlStore::roll_back(PostgresqlConnection& connection) noexcept {
  if (!connection.in_step()) return;
  try {
    connection.ask_one("ROLLBACK");
  } catch (const sql::Failure&) {
    connection.abandon();
  }
}

/// Waits for the lost transaction where it still runs. After this it cannot be committed any more if it was not.
bool PostgresqlStore::was_committed(const Attempt& lost) {
  const auto deadline = steady_clock::now() + kPatience;
  const sql::Row connection{lost.connection};
  const Question question{kSettleWrite, &connection};
  while (true) {
    try {
      auto lease = pool_.take(deadline);
      const auto answers = lease->ask({&question, 1});
      return std::get<std::int64_t>(answers.front().at(0).at(0)) == lost.write;
    } catch (const sql::Failure& fault) {
      if (steady_clock::now() >= deadline) {
        throw sql::Failure(lost.fault + "; whether its last write was made is not known: " + fault.what());
      }
    }
    std::this_thread::sleep_for(kBackoffMax);
  }
}

/// One step, and the next soon where there is more. Whoever comes when it is due does it; it is no fault of his write,
/// which is made, when it fails, and is done again when it is due again.
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

std::unique_ptr<sql::Store> open_postgresql(const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlStore>(options);
}

}  // namespace tonearm::native
