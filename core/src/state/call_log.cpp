#include "state/call_log.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "domain/plan.h"
#include "state/account_rows.h"
#include "state/call_parts.h"
#include "state/columns.h"

namespace tonearm::state {

void WaitingCalls::add(CallRecord call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::int64_t number = call.number != 0 ? call.number : next_number_++;
  fresh_.push_back({number, std::move(call)});
}

std::vector<CallRecord> WaitingCalls::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<CallRecord> calls;
  calls.reserve(gathered_count_ + fresh_.size());
  const auto take_from = [&calls](std::span<NumberedCall> numbered) {
    for (NumberedCall& one : numbered) {
      one.call.number = one.number;
      calls.push_back(std::move(one.call));
    }
  };
  take_from(std::span(gathered_).last(gathered_count_));
  take_from(fresh_);
  gathered_.clear();
  gathered_count_ = written_count_ = 0;
  fresh_.clear();
  return calls;
}

std::size_t WaitingCalls::waiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return fresh_.size() + gathered_count_;
}

std::span<const NumberedCall> WaitingCalls::longest_waiting(std::size_t count_max) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gathered_count_ == 0) {
    gathered_.clear();
    gathered_.swap(fresh_);
    written_count_ = 0;
    gathered_count_ = gathered_.size();
  }
  return std::span<const NumberedCall>(gathered_).subspan(written_count_, std::min(count_max, gathered_count_));
}

void WaitingCalls::written(std::size_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  written_count_ += count;
  gathered_count_ -= count;
  if (gathered_count_ > 0) return;
  gathered_ = {};
  written_count_ = 0;
}

void WaitingCalls::drop(const std::string& account) {
  const auto is_of_account = [&account](const NumberedCall& numbered) { return numbered.call.account == account; };
  const std::lock_guard<std::mutex> lock(mutex_);
  fresh_.erase(std::remove_if(fresh_.begin(), fresh_.end(), is_of_account), fresh_.end());
  const auto waiting = gathered_.begin() + static_cast<std::ptrdiff_t>(gathered_.size() - gathered_count_);
  gathered_.erase(std::remove_if(waiting, gathered_.end(), is_of_account), gathered_.end());
  gathered_count_ = gathered_.size() - written_count_;
}

namespace {

/// A zero byte, which not every database takes in a text, separates words of a search (C4.4), as a space does.
std::string storable(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

/// The parts that one transaction writes into. Each is made when it is first needed.
class PartWriter {
 public:
  explicit PartWriter(sql::Transaction& transaction) : transaction_(transaction) {}

  /// Gives those that were not there already.
  std::vector<const NumberedCall*> insert(const std::vector<const NumberedCall*>& calls) {
    std::map<std::int64_t, std::vector<const NumberedCall*>> by_day;
    for (const NumberedCall* numbered : calls) by_day[day_number(numbered->call.at_ms)].push_back(numbered);
    std::vector<const NumberedCall*> fresh;
    for (const auto& [day, of_day] : by_day) insert_day(day, of_day, fresh);
    return fresh;
  }

 private:
  void insert_day(std::int64_t day, const std::vector<const NumberedCall*>& calls,
                  std::vector<const NumberedCall*>& fresh) {
    std::vector<sql::Row> records;
    records.reserve(calls.size());
    for (const NumberedCall* numbered : calls) records.push_back(record_row(*numbered));
    const auto inserted = transaction_.execute_each(statement_for({PartKind::records, day}), records);
    std::vector<sql::Row> texts;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (inserted[i].empty()) continue;
      fresh.push_back(calls[i]);
      const CallRecord& call = calls[i]->call;
      if (!call.search_text) continue;
      texts.push_back({call.account, call.at_ms, calls[i]->number, storable(*call.search_text)});
    }
    if (!texts.empty()) transaction_.execute_each(statement_for({PartKind::search_texts, day}), texts);
  }

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

  const std::string& statement_for(const Part& part) {
    std::string& statement = statements_[{part.kind, part.day}];
    if (!statement.empty()) return statement;
    make_part(transaction_, part);
    const bool is_record = part.kind == PartKind::records;
    statement = "INSERT INTO " + table_of(part) + " (account, at_ms, record_number, ";
    statement += is_record ? "key_id, method, route, status, duration_ms, result_count, first_party)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
                           : "search_text) VALUES (?1, ?2, ?3, ?4)";
    statement += " ON CONFLICT (account, at_ms, record_number) DO NOTHING RETURNING record_number";
    return statement;
  }

  sql::Transaction& transaction_;
  std::map<std::pair<PartKind, std::int64_t>, std::string> statements_;
};

/// C9: a call that was still running when its account was deleted leaves no record.
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

void add_to_days(sql::Transaction& transaction, const std::vector<const NumberedCall*>& fresh) {
  std::map<std::pair<std::string_view, std::int64_t>, DayUsage> days;
  for (const NumberedCall* numbered : fresh) {
    const std::int64_t day_begin_ms = window_at(Window::day, numbered->call.at_ms).begin_ms;
    DayUsage& day = days[{numbered->call.account, day_begin_ms}];
    ++day.calls;
    day.succeeded += numbered->call.status < 400 ? 1 : 0;
    day.first_party += numbered->call.first_party ? 1 : 0;
  }
  std::vector<sql::Row> rows;
  rows.reserve(days.size());
  for (const auto& [key, day] : days) {
    rows.push_back({std::string(key.first), key.second, static_cast<std::int64_t>(day.calls),
                    static_cast<std::int64_t>(day.succeeded), static_cast<std::int64_t>(day.first_party)});
  }
  if (rows.empty()) return;
  transaction.execute_each(
      "INSERT INTO daily_usage (account, day_began_ms, calls, succeeded, first_party) VALUES (?1, ?2, ?3, ?4, ?5)"
      " ON CONFLICT (account, day_began_ms) DO UPDATE SET calls = daily_usage.calls + excluded.calls,"
      " succeeded = daily_usage.succeeded + excluded.succeeded,"
      " first_party = daily_usage.first_party + excluded.first_party",
      rows);
}

CallRecord call_record(const std::string& account, const sql::Row& row) {
  CallRecord call;
  call.account = account;
  call.at_ms = integer_at(row, 0);
  call.key_id = text_at(row, 1);
  call.method = text_at(row, 2);
  call.route = text_at(row, 3);
  call.status = static_cast<int>(count_at(row, 4));
  call.duration_ms = integer_at(row, 5);
  if (!is_null_at(row, 6)) call.result_count = count_at(row, 6);
  call.first_party = integer_at(row, 7) != 0;
  call.search_text = maybe_text_at(row, 8);
  return call;
}

/// A question for the latest records, answered day by day.
struct LatestCalls {
  std::string account;
  std::int64_t now_ms = 0;
  std::int64_t before_day = 0;  // as of `day_number`: the days before it are still to be read
  std::int64_t rows_left = 0;
};

sql::Rows rows_of_day(sql::Transaction& transaction, const LatestCalls& question, std::int64_t day,
                      std::int64_t rows_max) {
  const std::string records = table_of({PartKind::records, day});
  std::string statement =
      "SELECT r.at_ms, r.key_id, r.method, r.route, r.status, r.duration_ms, r.result_count, r.first_party, ";
  sql::Row parameters{question.account, question.now_ms - kRecordMs, rows_max};
  if (has_part(transaction, PartKind::search_texts, day)) {
    statement += "t.search_text FROM " + records + " r LEFT JOIN " + table_of({PartKind::search_texts, day}) +
                 " t ON t.account = r.account AND t.at_ms = r.at_ms AND t.record_number = r.record_number"
                 " AND t.at_ms > ?4";
    parameters.emplace_back(question.now_ms - kSearchTextMs);
  } else {
    statement += "NULL FROM " + records + " r";
  }
  statement += " WHERE r.account = ?1 AND r.at_ms > ?2 ORDER BY r.at_ms DESC, r.record_number DESC LIMIT ?3";
  return transaction.execute(statement, parameters);
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
    if (!has_part(transaction, PartKind::records, day)) continue;
    for (const sql::Row& record : rows_of_day(transaction, question, day, rows_left)) {
      some.calls.push_back(call_record(question.account, record));
    }
  }
  return some;
}

}  // namespace

std::size_t write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls) {
  // A batch is a few journeys, however many accounts it is of; those that write at once take rows in the same order.
  const std::set<std::string_view> accounts = existing_accounts(transaction, calls);
  std::vector<const NumberedCall*> kept;
  kept.reserve(calls.size());
  for (const NumberedCall& numbered : calls) {
    if (accounts.count(numbered.call.account) > 0) kept.push_back(&numbered);
  }
  const auto is_before = [](const NumberedCall* one, const NumberedCall* other) {
    return one->call.account < other->call.account;
  };
  std::stable_sort(kept.begin(), kept.end(), is_before);
  const std::vector<const NumberedCall*> fresh = PartWriter(transaction).insert(kept);
  add_to_days(transaction, fresh);
  return fresh.size();
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
