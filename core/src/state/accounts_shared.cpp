#include "state/accounts_shared.h"

#include <algorithm>
#include <span>
#include <utility>

#include "state/accounts_stored.h"
#include "state/admission.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

class SharedAccounts final : public StoredAccounts {
 public:
  SharedAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds)
      : StoredAccounts(dependencies, std::move(schema), bounds) {}

  Admission admit(std::string_view key, Counting counting) override;
  FlushReport flush() override;

 private:
  void changed(const Locator& /*locator*/) override {}
  void deleted(const Locator& /*locator*/) override {}
  void counts_reset(const Locator& /*locator*/) override {}
  std::size_t write_some_calls() override;
  std::size_t write_batch(std::size_t calls_max, FlushReport& report);
};

/// What came of one try to admit a call.
struct Try {
  Admission admission;
  bool is_first = false;    // the account has no counts yet
  bool was_counted = true;  // false: another call was counted in between, or the row of counts has to be made
};

/// Makes the first counts of an account only where the account is still there when the transaction ends.
enum class Counters { existing, made };

Try attempt_admission(sql::Transaction& transaction, Clock& clock, const std::string& account, const Sha256& key_hash,
                      Counting counting, Counters counters) {
  Try result;
  std::optional<KeyAndCounts> found = read_key(transaction, account, key_hash);
  const std::int64_t now_ms = time_of(transaction, clock);
  if (!found) {
    result.admission.now_ms = now_ms;
    return result;
  }
  CallCounts counts = found->counts.value_or(CallCounts{});
  result.admission = decide_admission(account, found->plan, found->key, counts, counting, now_ms);
  if (result.admission.outcome != Admission::Outcome::admitted || !result.admission.rate) return result;
  if (found->counts) {
    result.was_counted = replace_counts(transaction, account, *found->counts, counts);
  } else {
    result.is_first = true;
    result.was_counted = counters == Counters::made && insert_counts(transaction, account, counts);
  }
  return result;
}

Admission SharedAccounts::admit(std::string_view key, Counting counting) {
  // KEY-2, KEY-3: a key that this deployment did not make is refused without a look-up.
  const std::optional<Locator> locator = locate_api_key(dependencies().hashing, secret(), key);
  if (!locator) {
    Admission invalid;
    invalid.now_ms = dependencies().clock.now_ms();
    return invalid;
  }
  make_room_for_calls();
  const std::string account = make_account_id(*locator);
  const Sha256 key_hash = dependencies().hashing.sha256(key);
  Try last;
  const auto with = [&](Counters counters) {
    return [&, counters](sql::Transaction& transaction) {
      last = attempt_admission(transaction, dependencies().clock, account, key_hash, counting, counters);
    };
  };
  // Every try that finds its counts replaced has let another call be counted, so the limits bound their number.
  dependencies().store.transact_by_statement(with(Counters::existing));
  while (!last.was_counted) {
    if (last.is_first) {
      dependencies().store.transact(with(Counters::made));
    } else {
      dependencies().store.transact_by_statement(with(Counters::existing));
    }
  }
  if (last.admission.outcome != Admission::Outcome::invalid_key) {
    last.admission.call_number = dependencies().store.next_number().value_or(0);
  }
  return last.admission;
}

FlushReport SharedAccounts::flush() {
  FlushReport report;
  // What comes in the meantime is the next flush's, so this one ends.
  for (std::size_t left = waiting_calls().waiting(); left > 0;) {
    const std::size_t now = write_batch(std::min(left, kCallsOfBatch), report);
    left = now == 0 ? 0 : left - now;  // none: another call of flush has written them
  }
  return report;
}

std::size_t SharedAccounts::write_some_calls() {
  FlushReport report;
  return write_batch(kCallsOfBatch, report);
}

/// One transaction. What is written again after a failure changes nothing. Returns how many calls it dealt with.
std::size_t SharedAccounts::write_batch(std::size_t calls_max, FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  const std::span<const NumberedCall> calls = waiting_calls().longest_waiting(calls_max);
  if (calls.empty()) return 0;
  std::size_t written = 0;
  dependencies().store.transact(
      [&](sql::Transaction& transaction) { written = write_calls(transaction, calls, Numbers::in_order); });
  report.records_written += written;
  const std::size_t dealt_with = calls.size();
  waiting_calls().written(dealt_with);
  return dealt_with;
}

}  // namespace

std::unique_ptr<Accounts> make_shared_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                               const Accounts::Bounds& bounds) {
  return std::make_unique<SharedAccounts>(dependencies, std::move(schema), bounds);
}

}  // namespace tonearm::state
