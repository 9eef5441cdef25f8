#include "state/accounts/deferred_counts.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "state/accounts/account_rows.h"
#include "state/call_partitions.h"
#include "state/calls/call_aggregates.h"
#include "tonearm/message.h"

namespace tonearm::state {

namespace {

constexpr std::size_t kAccountBytesMax = 64;
constexpr std::size_t kTextBytesMax = 300;
constexpr std::size_t kTotals = 5;
constexpr std::size_t kNumbersMax = kTotals + 2 * std::tuple_size_v<decltype(CallCounts::windows)>;

/// Returns what a record contains, which is kept as long as the record: the day, its totals, and for each window when
/// it began, from the day's begin on, and its calls.
std::string to_text(const DeferredCounts& deferred) {
  const DayUsage& usage = deferred.totals.usage;
  std::string text = std::to_string(usage.day_begin_ms / kDayMs);
  const auto append = [&text](auto number) { text += ' ' + std::to_string(number); };
  append(usage.calls);
  append(usage.succeeded);
  append(usage.first_party);
  append(deferred.totals.records);
  if (!deferred.counts) return text;
  for (const CallCounts::Count& count : deferred.counts->windows) {
    append(count.began_ms - usage.day_begin_ms);
    append(count.calls);
  }
  return text;
}

/// Returns nothing for another text than numbers with single spaces.
std::optional<std::vector<std::int64_t>> parse_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (numbers.size() < kNumbersMax) {
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc{}) return std::nullopt;
    if (next == end) return numbers;
    if (*next != ' ') return std::nullopt;
    at = next + 1;
  }
  return std::nullopt;
}

std::optional<DeferredCounts> parse_deferred(std::string account, std::string_view text) {
  const auto numbers = parse_numbers(text);
  if (!numbers || (numbers->size() != kTotals && numbers->size() != kNumbersMax)) return std::nullopt;
  const auto is_count = [](std::int64_t number) {
    return number >= 0 && number <= std::numeric_limits<std::uint32_t>::max();
  };
  if (!std::all_of(numbers->begin(), numbers->begin() + kTotals, is_count)) return std::nullopt;
  const auto* next = numbers->data();
  DeferredCounts deferred;
  deferred.account = std::move(account);
  DayUsage& usage = deferred.totals.usage;
  usage.day_begin_ms = *next++ * kDayMs;
  usage.calls = static_cast<std::uint64_t>(*next++);
  usage.succeeded = static_cast<std::uint64_t>(*next++);
  usage.first_party = static_cast<std::uint64_t>(*next++);
  deferred.totals.records = *next++;
  if (numbers->size() == kTotals) return deferred;
  constexpr std::int64_t kOffsetMaxMs = kDayEnd * kDayMs;
  for (CallCounts::Count& count : deferred.counts.emplace().windows) {
    if (*next < -kOffsetMaxMs || *next > kOffsetMaxMs) return std::nullopt;
    count.began_ms = usage.day_begin_ms + *next++;
    if (!is_count(*next)) return std::nullopt;
    count.calls = static_cast<std::uint32_t>(*next++);
  }
  return deferred;
}

void replace(UnwrittenCounts& memory, const DeferredCounts& deferred) {
  MessageWriter out;
  out.text(deferred.account);
  out.number(static_cast<std::uint32_t>(deferred.in_record));
  out.text(to_text(deferred));
  memory.replace(out.take());
}

/// Whether all calls are of one account and day, and have records of their own if the day has space for them.
bool are_single_calls_of_a_day(std::span<const NumberedCall> calls) {
  const CallRecord& first = calls.front().call;
  return std::all_of(calls.begin(), calls.end(), [&](const NumberedCall& numbered) {
    const CallRecord& call = numbered.call;
    return call.account == first.account && day_number(call.at_ms) == day_number(first.at_ms) && !is_aggregated(call);
  });
}

/// Returns those of the calls that have no record yet, each once, in the order of their rows; nothing if some of them
/// get no record of their own (RECORD-6, RECORD-8).
std::optional<std::vector<const NumberedCall*>> find_single_calls(sql::Transaction& transaction,
                                                                  std::span<const NumberedCall> calls,
                                                                  const DeferredCounts& deferred) {
  if (!are_single_calls_of_a_day(calls)) return std::nullopt;
  const std::string& account = deferred.account;
  if (account != calls.front().call.account || !find_account(transaction, account)) return std::nullopt;
  const std::int64_t day_begin_ms = period_start(calls.front().call.at_ms, kDayS);
  const std::int64_t day = day_number(day_begin_ms);
  std::vector<const NumberedCall*> unrecorded = find_unrecorded(transaction, day, calls);
  const std::int64_t records = records_of_day(transaction, account, day_begin_ms) + deferred.totals.records;
  if (records + static_cast<std::int64_t>(unrecorded.size()) > kSingleRecordsMax) return std::nullopt;
  const auto is_before = [](const auto* one, const auto* other) { return row_key(*one) < row_key(*other); };
  const auto are_same = [](const auto* one, const auto* other) { return row_key(*one) == row_key(*other); };
  std::sort(unrecorded.begin(), unrecorded.end(), is_before);
  unrecorded.erase(std::unique(unrecorded.begin(), unrecorded.end(), are_same), unrecorded.end());
  return unrecorded;
}

/// Inserts the records, and stores the counts in the last record of the store, whichever that is. Returns false, and
/// changes nothing, if it cannot contain them.
bool insert_with_counts(sql::Transaction& transaction, std::int64_t day, const std::vector<const NumberedCall*>& calls,
                        const DeferredCounts& deferred) {
  const auto last = find_last_record(transaction);
  const bool are_last = last ? row_key(*calls.back()) > row_key(*last) : day >= first_day_with_counts(transaction);
  if (!are_last && !last) return false;
  const std::string text = to_text(deferred);
  insert_records(transaction, day, calls, are_last ? std::optional(text) : std::nullopt);
  if (!are_last) replace_deferred_counts(transaction, *last, text);
  return true;
}

std::size_t write_to_tables(sql::Transaction& transaction, std::span<const NumberedCall> calls,
                            UnwrittenCounts& memory) {
  write_deferred(transaction, memory);
  return write_calls(transaction, calls, NumberOrder::any).count;
}

}  // namespace

std::optional<DeferredCounts> read_deferred(UnwrittenCounts* memory) {
  if (memory == nullptr) return std::nullopt;
  const std::string bytes = memory->read();
  MessageReader in(bytes);
  std::string account = in.text(kAccountBytesMax);
  const std::uint32_t in_record = in.number();
  auto deferred = parse_deferred(std::move(account), in.text(kTextBytesMax));
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

void load_deferred(sql::Store& store, UnwrittenCounts* memory) {
  if (memory == nullptr || !memory->read().empty()) return;
  std::optional<LastRecord> last;
  store.transact([&](sql::Transaction& transaction) { last = find_last_record(transaction); });
  auto deferred = last && last->deferred_counts ? parse_deferred(last->account, *last->deferred_counts) : std::nullopt;
  if (!deferred) return;
  deferred->in_record = DeferredCounts::InRecord::these;
  replace(*memory, *deferred);
}

void store_deferred(sql::Store& store, UnwrittenCounts* memory) {
  auto deferred = read_deferred(memory);
  if (!deferred || deferred->in_record == DeferredCounts::InRecord::these) return;
  deferred->in_record = DeferredCounts::InRecord::these;
  store.transact([&](sql::Transaction& transaction) {
    const auto last = find_last_record(transaction);
    if (!last || last->account != deferred->account || !find_account(transaction, deferred->account)) {
      return write_deferred(transaction, *memory);
    }
    replace_deferred_counts(transaction, *last, to_text(*deferred));
    replace(*memory, *deferred);
  });
}

void write_deferred(sql::Transaction& transaction, UnwrittenCounts& memory) {
  const auto deferred = read_deferred(&memory);
  if (!deferred) return;
  if (find_account(transaction, deferred->account)) {
    if (deferred->counts) write_counts(transaction, deferred->account, *deferred->counts);
    if (deferred->totals.usage.calls > 0) add_to_day(transaction, deferred->account, deferred->totals);
  }
  if (deferred->in_record != DeferredCounts::InRecord::nothing) discard_deferred(transaction);
  memory.replace({});
}

void write_deferred_before_removal(sql::Store& store, UnwrittenCounts* memory) {
  if (!read_deferred(memory)) return;
  store.transact([&](sql::Transaction& transaction) {
    const auto last = find_last_record(transaction);
    const auto oldest = oldest_partition(transaction, PartitionKind::records, kDayEnd * kDayMs - 1);
    if (last && oldest && oldest->day == day_number(last->at_ms)) write_deferred(transaction, *memory);
  });
}

void discard_deferred(sql::Transaction& transaction) {
  const auto last = find_last_record(transaction);
  if (last && last->deferred_counts) replace_deferred_counts(transaction, *last, std::nullopt);
}

std::size_t write_calls_with_counts(sql::Transaction& transaction, std::span<const NumberedCall> calls,
                                    UnwrittenCounts& memory) {
  if (calls.empty()) return 0;
  const std::int64_t day_begin_ms = period_start(calls.front().call.at_ms, kDayS);
  DeferredCounts none;
  none.account = calls.front().call.account;
  DeferredCounts next = read_deferred(&memory).value_or(none);
  if (next.totals.usage.calls > 0 && next.totals.usage.day_begin_ms != day_begin_ms) {
    write_deferred(transaction, memory);
    next = none;
  }
  const auto single_calls = find_single_calls(transaction, calls, next);
  if (!single_calls) return write_to_tables(transaction, calls, memory);
  if (single_calls->empty()) return 0;
  for (const NumberedCall* numbered : *single_calls) add_call(next.totals.usage, numbered->call);
  next.totals.usage.day_begin_ms = day_begin_ms;
  next.totals.records += static_cast<std::int64_t>(single_calls->size());
  next.in_record = DeferredCounts::InRecord::these;
  if (!insert_with_counts(transaction, day_number(day_begin_ms), *single_calls, next)) {
    return write_to_tables(transaction, calls, memory);
  }
  replace(memory, next);
  return single_calls->size();
}

}  // namespace tonearm::state
