#include "state/calls/call_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "state/call_partitions.h"
#include "state/columns.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

/// Replaces zero bytes by spaces. Not every database accepts a zero byte in a text, and in a search both separate words
/// (SEARCH-6).
std::string without_null_bytes(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

using Calls = std::vector<const NumberedCall*>;

constexpr std::string_view kRecordsOfDay = "SELECT records FROM daily_usage WHERE account = ?1 AND day_began_ms = ?2";
constexpr std::string_view kAddToDay =
    "INSERT INTO daily_usage (account, day_began_ms, calls, succeeded, first_party, records)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
    " ON CONFLICT (account, day_began_ms) DO UPDATE SET calls = daily_usage.calls + excluded.calls,"
    " succeeded = daily_usage.succeeded + excluded.succeeded,"
    " first_party = daily_usage.first_party + excluded.first_party,"
    " records = daily_usage.records + excluded.records";

sql::Row totals_row(const std::string& account, std::int64_t day_began_ms, const DayTotals& totals) {
  const DayUsage& usage = totals.usage;
  return {account,
          day_began_ms,
          static_cast<std::int64_t>(usage.calls),
          static_cast<std::int64_t>(usage.succeeded),
          static_cast<std::int64_t>(usage.first_party),
          totals.records};
}

/// Writes single-call records in one transaction. Requires the partitions that it needs.
class PartitionWriter {
 public:
  explicit PartitionWriter(sql::Transaction& transaction) : transaction_(transaction) {}

  /// Inserts the calls and appends those that are new to `inserted_calls`.
  /// `deferred_counts`: for the last of them.
  void insert_day(std::int64_t day, const Calls& calls, Calls& inserted_calls,
                  const std::optional<std::string>& deferred_counts = std::nullopt) {
    if (calls.empty()) return;
    auto records = to_rows(calls, [](const NumberedCall* numbered) { return record_row(*numbered); });
    const bool has_counts = deferred_counts.has_value();
    if (has_counts) {
      for (sql::Row& record : records) record.emplace_back();
      records.back().back() = *deferred_counts;
    }
    const auto inserted = transaction_.execute_each(statement_for({PartitionKind::records, day}, has_counts), records);
    std::vector<sql::Row> texts;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (inserted[i].empty()) continue;
      inserted_calls.push_back(calls[i]);
      const CallRecord& call = calls[i]->call;
      if (!call.search_text) continue;
      texts.push_back({call.account, call.at_ms, calls[i]->number, without_null_bytes(*call.search_text)});
    }
    if (!texts.empty()) transaction_.execute_each(statement_for({PartitionKind::search_texts, day}), texts);
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

  /// Only stores of one account have deferred counts. Others may have partitions without that column: those that a
  /// server of an earlier version creates.
  const std::string& statement_for(const Partition& partition, bool has_counts = false) {
    std::string& statement = statements_[{partition.kind, partition.day}];
    if (!statement.empty()) return statement;
    require_partition(transaction_, partition);
    statement = "INSERT INTO " + table_of(partition) + " (account, at_ms, record_number, ";
    if (partition.kind == PartitionKind::search_texts) {
      statement += "search_text) VALUES (?1, ?2, ?3, ?4)";
    } else {
      statement += "key_id, method, route, status, duration_ms, result_count, first_party";
      statement += has_counts ? ", deferred_counts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
                              : ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    }
    statement += " ON CONFLICT (account, at_ms, record_number) DO NOTHING RETURNING record_number";
    return statement;
  }

  sql::Transaction& transaction_;
  std::map<std::pair<PartitionKind, std::int64_t>, std::string> statements_;
};

/// Removes from `calls`, all of one day, those that have a record of their own already.
void remove_recorded(sql::Transaction& transaction, std::int64_t day, Calls& calls) {
  const Partition partition{PartitionKind::records, day};
  if (calls.empty() || !has_partition(transaction, partition.kind, day)) return;
  const auto parameters = to_rows(calls, [](const NumberedCall* numbered) {
    return sql::Row{numbered->call.account, numbered->call.at_ms, numbered->number};
  });
  const auto found = transaction.execute_each(
      "SELECT 1 FROM " + table_of(partition) + " WHERE account = ?1 AND at_ms = ?2 AND record_number = ?3", parameters);
  Calls unrecorded;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (found[i].empty()) unrecorded.push_back(calls[i]);
  }
  calls = std::move(unrecorded);
}

/// RECORD-6: calls that were running when their account was deleted are not recorded. Those that were running when a
/// move of the account began are, and they are moved with it (HOST-58).
std::set<std::string_view> find_existing_accounts(sql::Transaction& transaction, std::span<const NumberedCall> calls) {
  std::set<std::string_view> accounts;
  for (const NumberedCall& numbered : calls) accounts.insert(numbered.call.account);
  const auto parameters = to_rows(accounts, [](std::string_view account) { return sql::Row{std::string(account)}; });
  const auto found = transaction.execute_each(
      "SELECT 1 FROM accounts WHERE account = ?1 UNION ALL SELECT 1 FROM account_moves WHERE account = ?1", parameters);
  auto account = accounts.begin();
  for (const sql::Rows& rows : found) account = rows.empty() ? accounts.erase(account) : std::next(account);
  return accounts;
}

/// What a batch adds to one day of an account.
struct AccountDay {
  std::int64_t stored_records = 0;  // single and aggregated ones, before the batch
  DayTotals added;
};

/// Writes one batch: decides which calls are aggregated, from what their days contain, and updates the daily totals.
class BatchWriter {
 public:
  BatchWriter(sql::Transaction& transaction, NumberOrder order, RecordDetail detail)
      : transaction_(transaction), order_(order), detail_(detail), partitions_(transaction) {}

  /// Writes `calls`, which are sorted by account.
  WrittenCalls write(const Calls& calls) {
    read_days(calls);
    std::map<std::int64_t, Calls> by_day;
    for (const NumberedCall* numbered : calls) by_day[day_number(numbered->call.at_ms)].push_back(numbered);
    for (const auto& [day, calls_of_day] : by_day) write_day(day, calls_of_day);
    return {write_totals(), full_days()};
  }

 private:
  AccountDay& day_of(const CallRecord& call) { return days_[{call.account, period_start(call.at_ms, kDayS)}]; }

  void read_days(const Calls& calls) {
    for (const NumberedCall* numbered : calls) day_of(numbered->call);
    const auto parameters = to_rows(days_, [](const auto& day) {
      return sql::Row{std::string(day.first.first), day.first.second};
    });
    if (parameters.empty()) return;
    const auto results = transaction_.execute_each(std::string(kRecordsOfDay), parameters);
    auto result = results.begin();
    for (auto& [key, day] : days_) {
      if (!result->empty()) day.stored_records = integer_at(result->front(), 0);
      ++result;
    }
  }

  std::vector<FullDay> full_days() const {
    std::vector<FullDay> full;
    for (const auto& [key, day] : days_) {
      if (day.stored_records >= kSingleRecordsMax) full.push_back({std::string(key.first), key.second});
    }
    return full;
  }

  void write_day(std::int64_t day, const Calls& calls) {
    Calls single;
    Calls aggregated;
    Calls over_limit;
    std::map<const AccountDay*, std::int64_t> single_of_day;
    for (const NumberedCall* numbered : calls) {
      const AccountDay& account_day = day_of(numbered->call);
      const std::int64_t records = account_day.stored_records + single_of_day[&account_day];
      if (is_aggregated(numbered->call)) {
        aggregated.push_back(numbered);
      } else if (detail_ == RecordDetail::full && records < kSingleRecordsMax) {
        ++single_of_day[&account_day];
        single.push_back(numbered);
      } else {
        over_limit.push_back(numbered);
      }
    }
    Calls inserted;
    partitions_.insert_day(day, single, inserted);
    for (const NumberedCall* numbered : inserted) {
      add_to_totals(*numbered);
      ++day_of(numbered->call).added.records;
    }
    remove_recorded(transaction_, day, over_limit);
    aggregated.insert(aggregated.end(), over_limit.begin(), over_limit.end());
    aggregate_day(day, aggregated);
  }

  /// RECORD-8
  void aggregate_day(std::int64_t day, const Calls& calls) {
    if (calls.empty()) return;
    std::map<CallGroup, Calls> by_group;
    for (const NumberedCall* numbered : calls) by_group[group_of(*numbered)].push_back(numbered);
    std::vector<GroupBatch> groups;
    groups.reserve(by_group.size());
    const auto is_earlier = [](const NumberedCall* one, const NumberedCall* other) {
      return one->number < other->number;
    };
    for (auto& [group, group_calls] : by_group) {
      std::sort(group_calls.begin(), group_calls.end(), is_earlier);
      const AccountDay& account_day = day_of(group_calls.front()->call);
      const bool is_by_day = detail_ == RecordDetail::counts_by_day ||
                             account_day.stored_records + account_day.added.records >= kRecordsMax;
      groups.push_back({group, std::move(group_calls), is_by_day ? kDayS : kMinuteS});
    }
    const std::vector<AggregationResult> results = add_to_aggregates(transaction_, day, groups, order_);
    for (std::size_t index = 0; index < groups.size(); ++index) {
      for (const NumberedCall* numbered : results[index].added) add_to_totals(*numbered);
      if (results[index].is_new_record) ++day_of(groups[index].calls.front()->call).added.records;
    }
  }

  void add_to_totals(const NumberedCall& numbered) { add_call(day_of(numbered.call).added.usage, numbered.call); }

  std::size_t write_totals() {
    std::vector<sql::Row> rows;
    std::size_t calls = 0;
    for (const auto& [key, day] : days_) {
      if (day.added.usage.calls == 0) continue;
      calls += day.added.usage.calls;
      rows.push_back(totals_row(std::string(key.first), key.second, day.added));
    }
    if (!rows.empty()) transaction_.execute_each(std::string(kAddToDay), rows);
    return calls;
  }

  sql::Transaction& transaction_;
  NumberOrder order_;
  RecordDetail detail_;
  PartitionWriter partitions_;
  std::map<std::pair<std::string_view, std::int64_t>, AccountDay> days_;
};

CallRecord call_record(const std::string& account, const sql::Row& row) {
  CallRecord call = read_call_head(account, row);
  if (!is_null_at(row, 6)) call.result_count = count_at(row, 6);
  call.first_party = integer_at(row, 7) != 0;
  call.search_text = maybe_text_at(row, 8);
  call.number = integer_at(row, 9);
  return call;
}

/// A query for the latest records, which is answered day by day.
struct LatestCallsQuery {
  std::string account;
  std::int64_t now_ms = 0;
  std::int64_t before_day = 0;  // a `day_number`; the days before it have not been read yet
  std::int64_t rows_left = 0;
};

/// Returns the single-call records of a day.
std::vector<CallRecord> single_records_of_day(sql::Transaction& transaction, const LatestCallsQuery& query,
                                              std::int64_t day, std::int64_t rows_max) {
  std::vector<CallRecord> calls;
  if (!has_partition(transaction, PartitionKind::records, day)) return calls;
  const std::string records = table_of({PartitionKind::records, day});
  std::string statement =
      "SELECT r.at_ms, r.key_id, r.method, r.route, r.status, r.duration_ms, r.result_count, r.first_party, ";
  sql::Row parameters{query.account, query.now_ms - kRecordMs, rows_max};
  if (has_partition(transaction, PartitionKind::search_texts, day)) {
    statement += "t.search_text, r.record_number FROM " + records + " r LEFT JOIN " +
                 table_of({PartitionKind::search_texts, day}) +
                 " t ON t.account = r.account AND t.at_ms = r.at_ms AND t.record_number = r.record_number"
                 " AND t.at_ms > ?4";
    parameters.emplace_back(query.now_ms - kSearchTextMs);
  } else {
    statement += "NULL, r.record_number FROM " + records + " r";
  }
  statement += " WHERE r.account = ?1 AND r.at_ms > ?2 ORDER BY r.at_ms DESC, r.record_number DESC LIMIT ?3";
  for (const sql::Row& row : transaction.execute(statement, parameters)) {
    calls.push_back(call_record(query.account, row));
  }
  return calls;
}

/// Returns the single and the aggregated records of a day.
std::vector<CallRecord> calls_of_day(sql::Transaction& transaction, const LatestCallsQuery& query, std::int64_t day,
                                     std::int64_t rows_max) {
  const std::int64_t after_ms = query.now_ms - kRecordMs;
  const auto single = single_records_of_day(transaction, query, day, rows_max);
  const auto aggregated = aggregates_of_day(transaction, query.account, day, after_ms, rows_max);
  const auto is_later = [](const CallRecord& one, const CallRecord& other) {
    return std::pair(one.at_ms, one.number) > std::pair(other.at_ms, other.number);
  };
  std::vector<CallRecord> calls;
  std::merge(single.begin(), single.end(), aggregated.begin(), aggregated.end(), std::back_inserter(calls), is_later);
  if (static_cast<std::int64_t>(calls.size()) > rows_max) calls.resize(static_cast<std::size_t>(rows_max));
  return calls;
}

struct CallsChunk {
  std::vector<CallRecord> calls;
  std::optional<std::int64_t> before_day;  // where to continue; none: there are no more
};

/// Reads the next days that have records, as the daily totals list them. Few enough for a short transaction.
CallsChunk read_days_chunk(sql::Transaction& transaction, const LatestCallsQuery& query) {
  constexpr std::int64_t kDaysMax = 32;
  CallsChunk chunk;
  const sql::Rows days = transaction.execute(
      "SELECT day_began_ms FROM daily_usage WHERE account = ?1 AND day_began_ms < ?2 AND day_began_ms > ?3"
      " ORDER BY day_began_ms DESC LIMIT ?4",
      {query.account, query.before_day * kDayMs, query.now_ms - kRecordMs - kDayMs, kDaysMax});
  if (static_cast<std::int64_t>(days.size()) == kDaysMax) chunk.before_day = day_number(integer_at(days.back(), 0));
  for (const sql::Row& row : days) {
    const std::int64_t rows_left = query.rows_left - static_cast<std::int64_t>(chunk.calls.size());
    if (rows_left <= 0) break;
    const std::int64_t day = day_number(integer_at(row, 0));
    auto calls = calls_of_day(transaction, query, day, rows_left);
    std::move(calls.begin(), calls.end(), std::back_inserter(chunk.calls));
  }
  return chunk;
}

}  // namespace

WrittenCalls write_calls(sql::Transaction& transaction, std::span<const NumberedCall> calls, NumberOrder order,
                         RecordDetail detail) {
  // A batch takes a few round trips, however many accounts it contains. It is sorted by account, so that concurrent
  // writers lock rows in the same order.
  const std::set<std::string_view> accounts = find_existing_accounts(transaction, calls);
  Calls kept;
  kept.reserve(calls.size());
  for (const NumberedCall& numbered : calls) {
    if (accounts.count(numbered.call.account) > 0) kept.push_back(&numbered);
  }
  const auto is_before = [](const NumberedCall* one, const NumberedCall* other) {
    return one->call.account < other->call.account;
  };
  std::stable_sort(kept.begin(), kept.end(), is_before);
  return BatchWriter(transaction, order, detail).write(kept);
}

std::optional<std::vector<CallRecord>> latest_calls(sql::Store& store, const std::string& account, std::uint32_t limit,
                                                    std::int64_t now_ms) {
  std::vector<CallRecord> calls;
  // If the clock was set back, there are records of future days.
  LatestCallsQuery query{account, now_ms, kDayEnd, limit};
  for (std::optional<std::int64_t> before_day = query.before_day; before_day && query.rows_left > 0;) {
    query.before_day = *before_day;
    auto chunk = transact(store, [&](sql::Transaction& transaction) -> std::optional<CallsChunk> {
      const sql::Rows found = transaction.execute("SELECT 1 FROM accounts WHERE account = ?1", {account});
      if (found.empty()) return std::nullopt;
      return read_days_chunk(transaction, query);
    });
    if (!chunk) return std::nullopt;
    std::move(chunk->calls.begin(), chunk->calls.end(), std::back_inserter(calls));
    query.rows_left = std::int64_t{limit} - static_cast<std::int64_t>(calls.size());
    before_day = chunk->before_day;
  }
  return calls;
}

void add_call(DayUsage& usage, const CallRecord& call) {
  usage.calls += call.count;
  usage.succeeded += call.status < 400 ? call.count : 0;
  usage.first_party += call.first_party ? call.count : 0;
}

void add_to_day(sql::Transaction& transaction, const std::string& account, const DayTotals& totals) {
  transaction.execute(std::string(kAddToDay), totals_row(account, totals.usage.day_begin_ms, totals));
}

std::int64_t records_of_day(sql::Transaction& transaction, const std::string& account, std::int64_t day_begin_ms) {
  const sql::Rows rows = transaction.execute(std::string(kRecordsOfDay), {account, day_begin_ms});
  return rows.empty() ? 0 : integer_at(rows[0], 0);
}

std::optional<LastRecord> find_last_record(sql::Transaction& transaction) {
  const std::int64_t first_day = first_day_with_counts(transaction);
  // The partition of a new day is created before its first record is written.
  for (auto day = latest_partition_day(transaction, PartitionKind::records, kDayEnd); day && *day >= first_day;
       day = latest_partition_day(transaction, PartitionKind::records, *day)) {
    const sql::Rows rows = transaction.execute("SELECT account, at_ms, record_number, deferred_counts FROM " +
                                               table_of({PartitionKind::records, *day}) +
                                               " ORDER BY account DESC, at_ms DESC, record_number DESC LIMIT 1");
    if (rows.empty()) continue;
    return LastRecord{text_at(rows[0], 0), integer_at(rows[0], 1), integer_at(rows[0], 2), maybe_text_at(rows[0], 3)};
  }
  return std::nullopt;
}

void replace_deferred_counts(sql::Transaction& transaction, const LastRecord& last,
                             const std::optional<std::string>& counts) {
  transaction.execute("UPDATE " + table_of({PartitionKind::records, day_number(last.at_ms)}) +
                          " SET deferred_counts = ?4 WHERE account = ?1 AND at_ms = ?2 AND record_number = ?3",
                      {last.account, last.at_ms, last.number, nullable(counts)});
}

Calls find_unrecorded(sql::Transaction& transaction, std::int64_t day, std::span<const NumberedCall> calls) {
  Calls unrecorded;
  unrecorded.reserve(calls.size());
  for (const NumberedCall& numbered : calls) unrecorded.push_back(&numbered);
  remove_recorded(transaction, day, unrecorded);
  return unrecorded;
}

void insert_records(sql::Transaction& transaction, std::int64_t day, const Calls& calls,
                    const std::optional<std::string>& deferred_counts) {
  Calls inserted;
  PartitionWriter(transaction).insert_day(day, calls, inserted, deferred_counts);
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
