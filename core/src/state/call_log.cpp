#include "state/call_log.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "state/account_rows.h"
#include "state/call_partitions.h"
#include "state/columns.h"

namespace tonearm::state {

namespace {

/// A zero byte, which not every database takes in a text, separates words of a search (SEARCH-6), as a space does.
std::string storable(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

using Calls = std::vector<const NumberedCall*>;

/// The records that calls have of their own, in the partitions of one transaction. Each is made when it is first
/// needed.
class PartitionWriter {
 public:
  explicit PartitionWriter(sql::Transaction& transaction) : transaction_(transaction) {}

  /// Appends those that were not there already to `fresh`.
  void insert_day(std::int64_t day, const Calls& calls, Calls& fresh) {
    if (calls.empty()) return;
    std::vector<sql::Row> records;
    records.reserve(calls.size());
    for (const NumberedCall* numbered : calls) records.push_back(record_row(*numbered));
    const auto inserted = transaction_.execute_each(statement_for({PartitionKind::records, day}), records);
    std::vector<sql::Row> texts;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (inserted[i].empty()) continue;
      fresh.push_back(calls[i]);
      const CallRecord& call = calls[i]->call;
      if (!call.search_text) continue;
      texts.push_back({call.account, call.at_ms, calls[i]->number, storable(*call.search_text)});
    }
    if (!texts.empty()) transaction_.execute_each(statement_for({PartitionKind::search_texts, day}), texts);
  }

  /// Leaves out the calls that have records of their own already.
  void remove_known(std::int64_t day, Calls& calls) {
    const Partition partition{PartitionKind::records, day};
    if (calls.empty() || !has_partition(transaction_, partition.kind, day)) return;
    std::vector<sql::Row> questions;
    questions.reserve(calls.size());
    for (const NumberedCall* numbered : calls) {
      questions.push_back({numbered->call.account, numbered->call.at_ms, numbered->number});
    }
    const auto found = transaction_.execute_each(
        "SELECT 1 FROM " + table_of(partition) + " WHERE account = ?1 AND at_ms = ?2 AND record_number = ?3",
        questions);
    Calls unknown;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (found[i].empty()) unknown.push_back(calls[i]);
    }
    calls = std::move(unknown);
  }

 private:
  static sql::Row record_row(const NumberedCall& numbered) {
    const CallRecord& call = numbered.call;
    const std::optional<std::int64_t> result_count = call.result_count;
    return {call.account,
            call.at_ms,
            numbered.number,
            call.key_id,
            call.method,
            call.route,
            std::int64_t{call.status},
            call.duration_ms,
            nullable(result_count),
            std::int64_t{call.first_party}};
  }

  const std::string& statement_for(const Partition& partition) {
    std::string& statement = statements_[{partition.kind, partition.day}];
    if (!statement.empty()) return statement;
    make_partition(transaction_, partition);
    const bool is_record = partition.kind == PartitionKind::records;
    statement = "INSERT INTO " + table_of(partition) + " (account, at_ms, record_number, ";
    statement += is_record ? "key_id, method, route, status, duration_ms, result_count, first_party)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
                           : "search_text) VALUES (?1, ?2, ?3, ?4)";
    statement += " ON CONFLICT (account, at_ms, record_number) DO NOTHING RETURNING record_number";
    return statement;
  }

  sql::Transaction& transaction_;
  std::map<std::pair<PartitionKind, std::int64_t>, std::string> statements_;
};

/// RECORD-6: a call that was still running when its account was deleted leaves no record.
std::set<std::string_view> existing_accounts(sql::Transaction& transaction, std::span<const NumberedCall> calls) {
  std::set<std::string_view> accounts;
  for (const NumberedCall& numbered : calls) accounts.insert(numbered.call.account);
  std::vector<sql::Row> questions;
  questions.reserve(accounts.size());
  for (const std::string_view account : accounts) questions.push_back({std::string(account)});
  const auto found = transaction.execute_each("SELECT 1 FROM accounts WHERE account = ?1", questions);
  auto account = accounts.begin();
  for (const sql::Rows& rows : found) account = rows.empty() ? accounts.erase(account) : std::next(account);
  return accounts;
}

/// What a batch adds to a day of an account.
struct DayOfAccount {
  std::int64_t stored_records = 0;  // of either sort, before the batch
  std::int64_t records = 0;
  DayUsage usage;
};

/// Writes one batch: decides by what the days have which calls share records, and keeps the days' totals.
class BatchWriter {
 public:
  BatchWriter(sql::Transaction& transaction, Numbers numbers, Detail detail)
      : transaction_(transaction), numbers_(numbers), detail_(detail), partitions_(transaction) {}

  /// `calls` by account. How many were not there already.
  std::size_t write(const Calls& calls) {
    read_days(calls);
    std::map<std::int64_t, Calls> by_day;
    for (const NumberedCall* numbered : calls) by_day[day_number(numbered->call.at_ms)].push_back(numbered);
    for (const auto& [day, of_day] : by_day) write_day(day, of_day);
    return add_to_days();
  }

 private:
  DayOfAccount& day_of(const CallRecord& call) { return days_[{call.account, begin_of_period(call.at_ms, kDayS)}]; }

  void read_days(const Calls& calls) {
    for (const NumberedCall* numbered : calls) day_of(numbered->call);
    std::vector<sql::Row> questions;
    questions.reserve(days_.size());
    for (const auto& [key, day] : days_) questions.push_back({std::string(key.first), key.second});
    if (questions.empty()) return;
    const auto answers = transaction_.execute_each(
        "SELECT records FROM daily_usage WHERE account = ?1 AND day_began_ms = ?2", questions);
    auto answer = answers.begin();
    for (auto& [key, day] : days_) {
      if (!answer->empty()) day.stored_records = integer_at(answer->front(), 0);
      ++answer;
    }
  }

  void write_day(std::int64_t day, const Calls& calls) {
    Calls own;
    Calls shared;
    Calls beyond_bound;
    std::map<const DayOfAccount*, std::int64_t> own_of_day;
    for (const NumberedCall* numbered : calls) {
      const DayOfAccount& of_account = day_of(numbered->call);
      if (is_refused_by_limit(numbered->call)) {
        shared.push_back(numbered);
      } else if (detail_ == Detail::whole && of_account.stored_records + own_of_day[&of_account] < kOwnRecordsMax) {
        ++own_of_day[&of_account];
        own.push_back(numbered);
      } else {
        beyond_bound.push_back(numbered);
      }
    }
    Calls fresh;
    partitions_.insert_day(day, own, fresh);
    for (const NumberedCall* numbered : fresh) {
      count(*numbered);
      ++day_of(numbered->call).records;
    }
    partitions_.remove_known(day, beyond_bound);
    shared.insert(shared.end(), beyond_bound.begin(), beyond_bound.end());
    share_day(day, shared);
  }

  /// RECORD-8
  void share_day(std::int64_t day, const Calls& calls) {
    if (calls.empty()) return;
    std::map<CallGroup, Calls> by_group;
    for (const NumberedCall* numbered : calls) by_group[group_of(*numbered)].push_back(numbered);
    std::vector<GroupToWrite> groups;
    groups.reserve(by_group.size());
    for (auto& [group, of_group] : by_group) {
      const DayOfAccount& of_account = day_of(of_group.front()->call);
      const bool is_by_day =
          detail_ == Detail::counts_by_day || of_account.stored_records + of_account.records >= kRecordsMax;
      groups.push_back({group, std::move(of_group), is_by_day ? kDayS : kMinuteS});
    }
    const std::vector<SharedCalls> written = add_to_counts(transaction_, day, groups, numbers_);
    for (std::size_t index = 0; index < groups.size(); ++index) {
      for (const NumberedCall* numbered : written[index].added) count(*numbered);
      if (written[index].made) ++day_of(groups[index].calls.front()->call).records;
    }
  }

  void count(const NumberedCall& numbered) {
    const CallRecord& call = numbered.call;
    DayUsage& usage = day_of(call).usage;
    usage.calls += call.count;
    usage.succeeded += call.status < 400 ? call.count : 0;
    usage.first_party += call.first_party ? call.count : 0;
  }

  std::size_t add_to_days() {
    std::vector<sql::Row> rows;
    std::size_t calls = 0;
    for (const auto& [key, day] : days_) {
      if (day.usage.calls == 0) continue;
      calls += day.usage.calls;
      rows.push_back({std::string(key.first), key.second, static_cast<std::int64_t>(day.usage.calls),
                      static_cast<std::int64_t>(day.usage.succeeded), static_cast<std::int64_t>(day.usage.first_party),
                      day.records});
    }
    if (rows.empty()) return 0;
    transaction_.execute_each(
        "INSERT INTO daily_usage (account, day_began_ms, calls, succeeded, first_party, records)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        " ON CONFLICT (account, day_began_ms) DO UPDATE SET calls = daily_usage.calls + excluded.calls,"
        " succeeded = daily_usage.succeeded + excluded.succeeded,"
        " first_party = daily_usage.first_party + excluded.first_party,"
        " records = daily_usage.records + excluded.records",
        rows);
    return calls;
  }

  sql::Transaction& transaction_;
  Numbers numbers_;
  Detail detail_;
  PartitionWriter partitions_;
  std::map<std::pair<std::string_view, std::int64_t>, DayOfAccount> days_;
};

CallRecord call_record(const std::string& account, const sql::Row& row) {
  CallRecord call = call_begun_at(account, row);
  if (!is_null_at(row, 6)) call.result_count = count_at(row, 6);
  call.first_party = integer_at(row, 7) != 0;
  call.search_text = maybe_text_at(row, 8);
  call.number = integer_at(row, 9);
  return call;
}

/// A question for the latest records, answered day by day.
struct LatestCalls {
  std::string account;
  std::int64_t now_ms = 0;
  std::int64_t before_day = 0;  // as of `day_number`: the days before it are still to be read
  std::int64_t rows_left = 0;
};

/// Records that calls have of their own.
std::vector<CallRecord> records_of_day(sql::Transaction& transaction, const LatestCalls& question, std::int64_t day,
                                       std::int64_t rows_max) {
  std::vector<CallRecord> calls;
  if (!has_partition(transaction, PartitionKind::records, day)) return calls;
  const std::string records = table_of({PartitionKind::records, day});
  std::string statement =
      "SELECT r.at_ms, r.key_id, r.method, r.route, r.status, r.duration_ms, r.result_count, r.first_party, ";
  sql::Row parameters{question.account, question.now_ms - kRecordMs, rows_max};
  if (has_partition(transaction, PartitionKind::search_texts, day)) {
    statement += "t.search_text, r.record_number FROM " + records + " r LEFT JOIN " +
                 table_of({PartitionKind::search_texts, day}) +
                 " t ON t.account = r.account AND t.at_ms = r.at_ms AND t.record_number = r.record_number"
                 " AND t.at_ms > ?4";
    parameters.emplace_back(question.now_ms - kSearchTextMs);
  } else {
    statement += "NULL, r.record_number FROM " + records + " r";
  }
  statement += " WHERE r.account = ?1 AND r.at_ms > ?2 ORDER BY r.at_ms DESC, r.record_number DESC LIMIT ?3";
  for (const sql::Row& row : transaction.execute(statement, parameters)) {
    calls.push_back(call_record(question.account, row));
  }
  return calls;
}

/// Records of either sort.
std::vector<CallRecord> calls_of_day(sql::Transaction& transaction, const LatestCalls& question, std::int64_t day,
                                     std::int64_t rows_max) {
  const std::int64_t after_ms = question.now_ms - kRecordMs;
  const auto own = records_of_day(transaction, question, day, rows_max);
  const auto shared = counts_of_day(transaction, question.account, day, after_ms, rows_max);
  const auto is_later = [](const CallRecord& one, const CallRecord& other) {
    return std::pair(one.at_ms, one.number) > std::pair(other.at_ms, other.number);
  };
  std::vector<CallRecord> calls;
  std::merge(own.begin(), own.end(), shared.begin(), shared.end(), std::back_inserter(calls), is_later);
  if (static_cast<std::int64_t>(calls.size()) > rows_max) calls.resize(static_cast<std::size_t>(rows_max));
  return calls;
}

struct SomeCalls {
  std::vector<CallRecord> calls;
  std::optional<std::int64_t> before_day;  // where there may be more
};

/// The next of the days that have records, which the totals name; so many that it stays a short transaction.
SomeCalls read_some_days(sql::Transaction& transaction, const LatestCalls& question) {
  constexpr std::int64_t kDaysMax = 32;
  SomeCalls some;
  const sql::Rows days = transaction.execute(
      "SELECT day_began_ms FROM daily_usage WHERE account = ?1 AND day_began_ms < ?2 AND day_began_ms > ?3"
      " ORDER BY day_began_ms DESC LIMIT ?4",
      {question.account, question.before_day * kDayMs, question.now_ms - kRecordMs - kDayMs, kDaysMax});
  if (static_cast<std::int64_t>(days.size()) == kDaysMax) some.before_day = day_number(integer_at(days.back(), 0));
  for (const sql::Row& row : days) {
    const std::int64_t rows_left = question.rows_left - static_cast<std::int64_t>(some.calls.size());
    if (rows_left <= 0) break;
    const std::int64_t day = day_number(integer_at(row, 0));
    auto calls = calls_of_day(transaction, question, day, rows_left);
    std::move(calls.begin(), calls.end(), std::back_inserter(some.calls));
  }
  return some;
}

}  // namespace

std::size_t write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls, Numbers numbers,
                        Detail detail) {
  // A batch is a few round trips, however many accounts it is of; those that write at once take rows in the same order.
  const std::set<std::string_view> accounts = existing_accounts(transaction, calls);
  Calls kept;
  kept.reserve(calls.size());
  for (const NumberedCall& numbered : calls) {
    if (accounts.count(numbered.call.account) > 0) kept.push_back(&numbered);
  }
  const auto is_before = [](const NumberedCall* one, const NumberedCall* other) {
    return one->call.account < other->call.account;
  };
  std::stable_sort(kept.begin(), kept.end(), is_before);
  return BatchWriter(transaction, numbers, detail).write(kept);
}

std::optional<std::vector<CallRecord>> latest_calls(sql::Store& store, const std::string& account, std::uint32_t limit,
                                                    std::int64_t now_ms) {
  std::vector<CallRecord> calls;
  // A clock that stepped back leaves records of days to come. Not every database has larger whole numbers.
  constexpr std::int64_t kTimeMaxMs = std::int64_t{1} << 53;
  LatestCalls question{account, now_ms, kTimeMaxMs / kDayMs, limit};
  for (std::optional<std::int64_t> before_day = question.before_day; before_day && question.rows_left > 0;) {
    question.before_day = *before_day;
    std::optional<SomeCalls> some;
    store.transact([&](sql::Transaction& transaction) {
      some.reset();
      if (find_account(transaction, account)) some = read_some_days(transaction, question);
    });
    if (!some) return std::nullopt;
    std::move(some->calls.begin(), some->calls.end(), std::back_inserter(calls));
    question.rows_left = std::int64_t{limit} - static_cast<std::int64_t>(calls.size());
    before_day = some->before_day;
  }
  return calls;
}

std::vector<DayUsage> read_usage(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute(
      "SELECT day_began_ms, calls, succeeded, first_party FROM daily_usage WHERE account = ?1"
      " ORDER BY day_began_ms DESC",
      {account});
  std::vector<DayUsage> days;
  for (const sql::Row& row : rows) {
    days.push_back({integer_at(row, 0), static_cast<std::uint64_t>(integer_at(row, 1)),
                    static_cast<std::uint64_t>(integer_at(row, 2)), static_cast<std::uint64_t>(integer_at(row, 3))});
  }
  return days;
}

}  // namespace tonearm::state
