#include "state/calls/call_aggregates.h"

#include <algorithm>
#include <iterator>

#include "state/columns.h"

namespace tonearm::state {

namespace {

/// What the records of a group have counted.
struct Counted {
  std::int64_t last_number = -1;  // this and all smaller numbers are counted
  bool by_minute = false;
  bool by_day = false;
};

std::vector<Counted> read_counted(sql::Transaction& transaction, const std::string& table,
                                  const std::vector<GroupBatch>& groups) {
  std::vector<sql::Row> parameters;
  parameters.reserve(groups.size());
  for (const auto& [group, calls, period_s] : groups) {
    parameters.push_back({group.account, group.key_id, group.route, group.status, group.source, group.minute_ms,
                          kMinuteS, period_start(group.minute_ms, kDayS), kDayS});
  }
  const auto results =
      transaction.execute_each("SELECT period_s, last_number FROM " + table +
                                   " WHERE account = ?1 AND key_id = ?2 AND route = ?3 AND status = ?4 AND source = ?5"
                                   " AND ((at_ms = ?6 AND period_s = ?7) OR (at_ms = ?8 AND period_s = ?9))",
                               parameters);
  std::vector<Counted> all(groups.size());
  for (std::size_t index = 0; index < all.size(); ++index) {
    for (const sql::Row& row : results[index]) {
      Counted& counted = all[index];
      (integer_at(row, 0) == kMinuteS ? counted.by_minute : counted.by_day) = true;
      counted.last_number = std::max(counted.last_number, integer_at(row, 1));
    }
  }
  return all;
}

sql::Row aggregate_row(const GroupBatch& batch, const AggregationResult& result) {
  const CallGroup& group = batch.group;
  const CallRecord& first = result.added.front()->call;
  std::int64_t calls = 0;
  for (const NumberedCall* numbered : result.added) calls += static_cast<std::int64_t>(numbered->call.count);
  return {group.account,
          period_start(group.minute_ms, batch.period_s),
          batch.period_s,
          group.key_id,
          group.route,
          group.status,
          group.source,
          first.method,
          first.duration_ms,
          std::int64_t{first.first_party},
          calls,
          result.added.front()->number,
          result.added.back()->number};
}

}  // namespace

CallGroup group_of(const NumberedCall& numbered) {
  const CallRecord& call = numbered.call;
  return {call.account,
          call.key_id,
          call.route,
          call.status,
          source_of(numbered.number),
          period_start(call.at_ms, kMinuteS)};
}

std::vector<AggregationResult> add_to_aggregates(sql::Transaction& transaction, std::int64_t day,
                                                 const std::vector<GroupBatch>& groups, NumberOrder order) {
  const Partition partition{PartitionKind::aggregates, day};
  require_partition(transaction, partition);
  const std::string table = table_of(partition);
  const std::vector<Counted> counted = read_counted(transaction, table, groups);
  std::vector<AggregationResult> all(groups.size());
  std::vector<sql::Row> rows;
  for (std::size_t index = 0; index < groups.size(); ++index) {
    AggregationResult& result = all[index];
    const auto is_new = [&](const NumberedCall* numbered) {
      return order == NumberOrder::any || numbered->number > counted[index].last_number;
    };
    const auto& calls = groups[index].calls;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(result.added), is_new);
    if (result.added.empty()) continue;
    result.is_new_record = !(groups[index].period_s == kMinuteS ? counted[index].by_minute : counted[index].by_day);
    rows.push_back(aggregate_row(groups[index], result));
  }
  if (rows.empty()) return all;
  transaction.execute_each(
      "INSERT INTO " + table +
          " (account, at_ms, period_s, key_id, route, status, source, method, duration_ms, first_party, calls,"
          " first_number, last_number) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
          // A day has several groups of a batch, and the last one need not have the last number.
          " ON CONFLICT (account, at_ms, period_s, key_id, route, status, source) DO UPDATE SET calls = " +
          table + ".calls + excluded.calls, last_number = CASE WHEN excluded.last_number > " + table +
          ".last_number THEN excluded.last_number ELSE " + table + ".last_number END",
      rows);
  return all;
}

CallRecord read_call_head(const std::string& account, const sql::Row& row) {
  CallRecord call;
  call.account = account;
  call.at_ms = integer_at(row, 0);
  call.key_id = text_at(row, 1);
  call.method = text_at(row, 2);
  call.route = text_at(row, 3);
  call.status = static_cast<int>(count_at(row, 4));
  call.duration_ms = integer_at(row, 5);
  return call;
}

std::vector<CallRecord> aggregates_of_day(sql::Transaction& transaction, const std::string& account, std::int64_t day,
                                          std::int64_t after_ms, std::int64_t rows_max) {
  const Partition partition{PartitionKind::aggregates, day};
  std::vector<CallRecord> calls;
  if (!has_partition(transaction, partition.kind, day)) return calls;
  const sql::Rows rows = transaction.execute(
      "SELECT at_ms, key_id, MIN(method), route, status, MIN(duration_ms), MAX(first_party), SUM(calls),"
      " period_s, MIN(first_number) FROM " +
          table_of(partition) +
          " WHERE account = ?1 AND at_ms > ?2 GROUP BY at_ms, period_s, key_id, route, status"
          " ORDER BY at_ms DESC, MIN(first_number) DESC LIMIT ?3",
      {account, after_ms, rows_max});
  for (const sql::Row& row : rows) {
    CallRecord call = read_call_head(account, row);
    call.first_party = integer_at(row, 6) != 0;
    call.count = static_cast<std::uint64_t>(integer_at(row, 7));
    call.period_s = integer_at(row, 8);
    call.number = integer_at(row, 9);
    calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace tonearm::state
