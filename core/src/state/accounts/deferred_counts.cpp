#include "state/accounts/deferred_counts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "state/accounts/account_rows.h"
#include "state/call_partitions.h"
#include "state/calls/call_aggregates.h"
#include "tonearm/message.h"

namespace tonearm::state {

namespace {

constexpr std::size_t kAccountBytesMax = 64;
constexpr std::size_t kNumbersBytesMax = 400;
/// Whether there are counts, the counts of three windows, and the totals of a day.
constexpr std::size_t kNumbers = 12;

std::string to_text(const DeferredCounts& deferred) {
  const CallCounts counts = deferred.counts.value_or(CallCounts{});
  const DayUsage& usage = deferred.totals.usage;
  std::string text(deferred.counts ? "1" : "0");
  const auto append = [&text](auto number) { text += ' ' + std::to_string(number); };
  for (const CallCounts::Count& count : counts.windows) {
    append(count.began_ms);
    append(count.calls);
  }
  append(usage.day_begin_ms);
  append(usage.calls);
  append(usage.succeeded);
  append(usage.first_party);
  append(deferred.totals.records);
  return text;
}

std::optional<std::array<std::int64_t, kNumbers>> parse_numbers(std::string_view text) {
  std::array<std::int64_t, kNumbers> numbers{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0) return std::nullopt;
    const bool is_last = &number == &numbers.back();
    if (is_last ? next != end : next == end || *next != ' ') return std::nullopt;
    at = is_last ? next : next + 1;
  }
  return numbers;
}

std::optional<DeferredCounts> parse_deferred(std::string account, std::string_view text) {
  const auto numbers = parse_numbers(text);
  if (!numbers) return std::nullopt;
  const auto* next = numbers->data();
  DeferredCounts deferred;
  deferred.account = std::move(account);
  const bool has_counts = *next++ != 0;
  CallCounts counts;
  for (CallCounts::Count& count : counts.windows) {
    count.began_ms = *next++;
    count.calls = static_cast<std::uint32_t>(*next++);
  }
  if (has_counts) deferred.counts = counts;
  DayUsage& usage = deferred.totals.usage;
  usage.day_begin_ms = *next++;
  usage.calls = static_cast<std::uint64_t>(*next++);
  usage.succeeded = static_cast<std::uint64_t>(*next++);
  usage.first_party = static_cast<std::uint64_t>(*next++);
  deferred.totals.records = *next;
  return deferred;
}

void replace(UnwrittenCounts& memory, const DeferredCounts& deferred) {
  MessageWriter out;
  out.text(deferred.account);
  out.number(static_cast<std::uint32_t>(deferred.in_record));
  out.text(to_text(deferred));
  memory.replace(out.take());
}

bool is_before(const NumberedCall* one, const NumberedCall* other) {
  return std::pair(one->call.at_ms, one->number) < std::pair(other->call.at_ms, other->number);
}

bool are_same(const NumberedCall* one, const NumberedCall* other) {
  return one->call.at_ms == other->call.at_ms && one->number == other->number;
}

/// Whether all calls are of one account and day, and have records of their own if the day has space for them.
bool are_single_records_of_a_day(std::span<const NumberedCall> calls) {
  const CallRecord& first = calls.front().call;
  return std::all_of(calls.begin(), calls.end(), [&](const NumberedCall& numbered) {
    const CallRecord& call = numbered.call;
    return call.account == first.account && day_number(call.at_ms) == day_number(first.at_ms) && call.count == 1 &&
           !is_refused_by_limit(call);
  });
}

/// Returns those of the calls that have no record yet, each once, in the order of their rows, if they can be written
/// with the counts: if the store has no later record, and their day has space for single records.
std::optional<std::vector<const NumberedCall*>> find_last_calls(sql::Transaction& transaction,
                                                                std::span<const NumberedCall> calls,
                                                                const DeferredCounts& deferred) {
  if (!are_single_records_of_a_day(calls)) return std::nullopt;
  const std::string& account = deferred.account;
  const std::int64_t day_begin_ms = period_start(calls.front().call.at_ms, kDayS);
  if (account != calls.front().call.account || !find_account(transaction, account)) return std::nullopt;
  const std::int64_t day = day_number(day_begin_ms);
  require_partition(transaction, {PartitionKind::records, day});
  std::vector<const NumberedCall*> unrecorded = find_unrecorded(transaction, day, calls);
  const std::int64_t records = records_of_day(transaction, account, day_begin_ms) + deferred.totals.records;
  if (records + static_cast<std::int64_t>(unrecorded.size()) > kSingleRecordsMax) return std::nullopt;
  std::sort(unrecorded.begin(), unrecorded.end(), is_before);
  unrecorded.erase(std::unique(unrecorded.begin(), unrecorded.end(), are_same), unrecorded.end());
  const auto last = find_last_record(transaction);
  if (!unrecorded.empty() && last && !is_later(*unrecorded.back(), *last)) return std::nullopt;
  return unrecorded;
}

}  // namespace

std::optional<DeferredCounts> read_deferred(UnwrittenCounts* memory) {
  if (memory == nullptr) return std::nullopt;
  const std::string bytes = memory->read();
  MessageReader in(bytes);
  std::string account = in.text(kAccountBytesMax);
  const std::uint32_t in_record = in.number();
  auto deferred = parse_deferred(std::move(account), in.text(kNumbersBytesMax));
  if (!in.is_complete() || !deferred) return std::nullopt;
  if (in_record > static_cast<std::uint32_t>(DeferredCounts::InRecord::these)) return std::nullopt;
  deferred->in_record = static_cast<DeferredCounts::InRecord>(in_record);
  return deferred;
}

std::optional<CallCounts> find_deferred(UnwrittenCounts* memory, const std::string& account) {
  const auto deferred = read_deferred(memory);
  if (!deferred || deferred->account != account) return std::nullopt;
  return deferred->counts;
}

void defer_counts(UnwrittenCounts& memory, const std::string& account, const CallCounts& counts) {
  DeferredCounts deferred = read_deferred(&memory).value_or(DeferredCounts{});
  deferred.account = account;
  deferred.counts = counts;
  if (deferred.in_record == DeferredCounts::InRecord::these) {
    deferred.in_record = DeferredCounts::InRecord::earlier_counts;
  }
  replace(memory, deferred);
}

void load_deferred(sql::Transaction& transaction, UnwrittenCounts& memory) {
  const auto last = find_last_record(transaction);
  if (!last || !last->deferred_counts) return;
  auto deferred = parse_deferred(last->account, *last->deferred_counts);
  if (!deferred) throw sql::Failure("the state is damaged: the counts of the last call record are malformed");
  deferred->in_record = DeferredCounts::InRecord::these;
  replace(memory, *deferred);
}

void write_deferred(sql::Transaction& transaction, UnwrittenCounts& memory) {
  const auto deferred = read_deferred(&memory);
  if (!deferred) return;
  if (find_account(transaction, deferred->account)) {
    if (deferred->counts) write_counts(transaction, deferred->account, *deferred->counts);
    if (deferred->totals.usage.calls > 0) add_to_day(transaction, deferred->account, deferred->totals);
  }
  if (deferred->in_record != DeferredCounts::InRecord::nothing) clear_deferred_counts(transaction);
  memory.replace({});
}

std::size_t write_calls_with_counts(sql::Transaction& transaction, std::span<const NumberedCall> calls,
                                    UnwrittenCounts& memory) {
  if (calls.empty()) return 0;
  const std::int64_t day_begin_ms = period_start(calls.front().call.at_ms, kDayS);
  auto deferred = read_deferred(&memory);
  if (deferred && deferred->totals.usage.calls > 0 && deferred->totals.usage.day_begin_ms != day_begin_ms) {
    write_deferred(transaction, memory);
    deferred.reset();
  }
  DeferredCounts next = deferred.value_or(DeferredCounts{});
  if (!deferred) next.account = calls.front().call.account;
  const auto last_calls = find_last_calls(transaction, calls, next);
  if (!last_calls) {
    write_deferred(transaction, memory);
    return write_calls(transaction, calls, NumberOrder::any).count;
  }
  if (last_calls->empty()) return 0;
  for (const NumberedCall* numbered : *last_calls) add_call(next.totals.usage, numbered->call);
  next.totals.usage.day_begin_ms = day_begin_ms;
  next.totals.records += static_cast<std::int64_t>(last_calls->size());
  next.in_record = DeferredCounts::InRecord::these;
  insert_records(transaction, day_number(day_begin_ms), *last_calls, to_text(next));
  replace(memory, next);
  return last_calls->size();
}

}  // namespace tonearm::state
