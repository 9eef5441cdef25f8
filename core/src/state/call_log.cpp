#include "state/call_log.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "domain/plan.h"
#include "state/columns.h"

namespace tonearm::state {

void WaitingCalls::add(CallRecord call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fresh_.push_back({next_number_, std::move(call)});
  ++next_number_;
}

std::size_t WaitingCalls::waiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return fresh_.size() + gathered_count_;
}

const std::vector<NumberedCall>& WaitingCalls::gather() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gathered_.empty()) {
    gathered_.swap(fresh_);
  } else {
    gathered_.reserve(gathered_.size() + fresh_.size());
    gathered_.insert(gathered_.end(), std::make_move_iterator(fresh_.begin()), std::make_move_iterator(fresh_.end()));
    fresh_.clear();
  }
  gathered_count_ = gathered_.size();
  return gathered_;
}

void WaitingCalls::written() {
  gathered_.clear();
  const std::lock_guard<std::mutex> lock(mutex_);
  gathered_count_ = 0;
}

void WaitingCalls::drop(const std::string& account) {
  const auto is_of_account = [&account](const NumberedCall& numbered) { return numbered.call.account == account; };
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto* calls : {&fresh_, &gathered_}) {
    calls->erase(std::remove_if(calls->begin(), calls->end(), is_of_account), calls->end());
  }
  gathered_count_ = gathered_.size();
}

namespace {

bool insert_call(sql::Transaction& transaction, const NumberedCall& numbered) {
  const CallRecord& call = numbered.call;
  const std::optional<std::int64_t> result_count = call.result_count;
  const sql::Rows inserted = transaction.execute(
      "INSERT INTO call_records (account, at_ms, record_number, key_id, method, route, status, duration_ms,"
      " result_count, search_text, first_party) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
      " ON CONFLICT (account, at_ms, record_number) DO NOTHING RETURNING record_number",
      {call.account, call.at_ms, numbered.number, call.key_id, call.method, call.route, std::int64_t{call.status},
       call.duration_ms, nullable(result_count), nullable(call.search_text), std::int64_t{call.first_party}});
  return !inserted.empty();
}

void add_to_day(sql::Transaction& transaction, const std::string& account, const DayUsage& day) {
  transaction.execute(
      "INSERT INTO daily_usage (account, day_began_ms, calls, succeeded, first_party) VALUES (?1, ?2, ?3, ?4, ?5)"
      " ON CONFLICT (account, day_began_ms) DO UPDATE SET calls = daily_usage.calls + excluded.calls,"
      " succeeded = daily_usage.succeeded + excluded.succeeded,"
      " first_party = daily_usage.first_party + excluded.first_party",
      {account, day.day_begin_ms, static_cast<std::int64_t>(day.calls), static_cast<std::int64_t>(day.succeeded),
       static_cast<std::int64_t>(day.first_party)});
}

std::size_t write_calls_of_account(sql::Transaction& transaction, const std::string& account,
                                   const std::vector<const NumberedCall*>& calls) {
  // C9: a call that was still running when its account was deleted leaves no record.
  if (transaction.execute("SELECT 1 FROM accounts WHERE account = ?1", {account}).empty()) return 0;
  std::map<std::int64_t, DayUsage> days;
  std::size_t written = 0;
  for (const NumberedCall* numbered : calls) {
    if (!insert_call(transaction, *numbered)) continue;
    ++written;
    const std::int64_t day_begin_ms = window_at(Window::day, numbered->call.at_ms).begin_ms;
    DayUsage& day = days[day_begin_ms];
    day.day_begin_ms = day_begin_ms;
    ++day.calls;
    day.succeeded += numbered->call.status < 400 ? 1 : 0;
    day.first_party += numbered->call.first_party ? 1 : 0;
  }
  for (const auto& [begin, day] : days) add_to_day(transaction, account, day);
  return written;
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
  call.search_text = maybe_text_at(row, 7);
  call.first_party = integer_at(row, 8) != 0;
  return call;
}

}  // namespace

std::size_t write_calls(sql::Transaction& transaction, const std::vector<NumberedCall>& calls) {
  std::map<std::string_view, std::vector<const NumberedCall*>> by_account;
  for (const NumberedCall& numbered : calls) by_account[numbered.call.account].push_back(&numbered);
  std::size_t written = 0;
  for (const auto& [account, of_account] : by_account) {
    written += write_calls_of_account(transaction, std::string(account), of_account);
  }
  return written;
}

std::vector<CallRecord> read_calls(sql::Transaction& transaction, const std::string& account, std::uint32_t limit) {
  const sql::Rows rows = transaction.execute(
      "SELECT at_ms, key_id, method, route, status, duration_ms, result_count, search_text, first_party"
      " FROM call_records WHERE account = ?1 ORDER BY at_ms DESC, record_number DESC LIMIT ?2",
      {account, std::int64_t{limit}});
  std::vector<CallRecord> calls;
  calls.reserve(rows.size());
  for (const sql::Row& row : rows) calls.push_back(call_record(account, row));
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
