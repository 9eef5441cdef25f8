#include <algorithm>
#include <span>
#include <utility>

#include "state/accounts/accounts_stored.h"
#include "state/accounts/admission.h"
#include "state/accounts/deferred_counts.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
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
  void on_account_changed(const Locator& /*locator*/) override {}
  void on_account_deleted(const Locator& /*locator*/) override {}
  void on_counts_reset(const Locator& /*locator*/) override {
    if (unwritten() != nullptr) unwritten()->replace({});
  }
  UnwrittenCounts* unwritten() const { return dependencies().unwritten_counts; }
  void write_counts_of_account(FlushReport& report);
  std::size_t write_call_batch() override;
  std::size_t write_batch(std::size_t calls_max, FlushReport& report);
};

/// One attempt to admit a call.
struct Attempt {
  Admission admission;
  bool is_first = false;    // the account has no counts yet
  bool was_counted = true;  // false: another call was counted in between, or the row of counts must be created
};

/// Whether an attempt may insert the account's first row of counts. Only a serializable transaction may, so that the
/// row is not inserted after the account was deleted.
enum class CountRow { must_exist, may_insert };

/// What all attempts of an admission have in common.
struct CallToAdmit {
  const std::string& account;
  const Sha256& key_hash;
  Counting counting;
};

Attempt attempt_admission(sql::Transaction& transaction, const Accounts::Dependencies& with, const CallToAdmit& call,
                          CountRow count_row) {
  Attempt result;
  const std::optional<KeyAndCounts> found = find_key_and_counts(transaction, call.account, call.key_hash);
  const std::int64_t now_ms = time_of(transaction, with.clock);
  if (!found) {
    result.admission.now_ms = now_ms;
    return result;
  }
  const auto unwritten = find_deferred(with.unwritten_counts, call.account);
  CallCounts counts = unwritten ? *unwritten : found->counts.value_or(CallCounts{});
  result.admission = decide_admission(call.account, found->plan, found->key, counts, call.counting, now_ms);
  if (result.admission.outcome != Admission::Outcome::admitted || !result.admission.rate) return result;
  if (with.unwritten_counts != nullptr) {
    defer_counts(*with.unwritten_counts, call.account, counts);
  } else if (found->counts) {
    result.was_counted = replace_counts(transaction, call.account, *found->counts, counts);
  } else {
    result.is_first = true;
    result.was_counted = count_row == CountRow::may_insert && insert_counts(transaction, call.account, counts);
  }
  return result;
}

Admission SharedAccounts::admit(std::string_view key, Counting counting) {
  // KEY-2, KEY-3: a key of another deployment is rejected without a lookup.
  const std::optional<Locator> locator = verify_api_key(dependencies().hashing, secret(), key);
  if (!locator) {
    Admission invalid;
    invalid.now_ms = dependencies().clock.now_ms();
    return invalid;
  }
  drain_full_call_queue();
  const std::string account = make_account_id(*locator);
  const Sha256 key_hash = dependencies().hashing.sha256(key);
  Attempt last;
  const auto attempt = [&](CountRow count_row) {
    return [&, count_row](sql::Transaction& transaction) {
      last = attempt_admission(transaction, dependencies(), {account, key_hash, counting}, count_row);
    };
  };
  // An attempt fails only if another call was counted in between, so the limits bound the number of attempts.
  dependencies().store.transact_read_committed(attempt(CountRow::must_exist));
  while (!last.was_counted) {
    if (last.is_first) {
      dependencies().store.transact(attempt(CountRow::may_insert));
    } else {
      dependencies().store.transact_read_committed(attempt(CountRow::must_exist));
    }
  }
  if (last.admission.outcome != Admission::Outcome::invalid_key) {
    last.admission.call_number = dependencies().store.next_number().value_or(0);
  }
  return last.admission;
}

void SharedAccounts::write_counts_of_account(FlushReport& report) {
  if (!read_deferred(unwritten())) return;
  dependencies().store.transact([&](sql::Transaction& transaction) { write_deferred(transaction, *unwritten()); });
  ++report.counters_written;
}

FlushReport SharedAccounts::flush() {
  FlushReport report;
  write_counts_of_account(report);
  // What arrives in the meantime is left to the next flush, so that this one ends.
  for (std::size_t left = pending_calls().size(); left > 0;) {
    const std::size_t written = write_batch(std::min(left, kCallsPerBatch), report);
    left = written == 0 ? 0 : left - written;  // 0: another thread wrote them
  }
  return report;
}

std::size_t SharedAccounts::write_call_batch() {
  FlushReport report;
  return write_batch(kCallsPerBatch, report);
}

/// Writes one batch in one transaction. Writing the same batch again after a failure changes nothing. Returns how many
/// calls left the queue.
std::size_t SharedAccounts::write_batch(std::size_t calls_max, FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  const std::span<const NumberedCall> calls = pending_calls().oldest(calls_max);
  if (calls.empty()) return 0;
  WrittenCalls written;
  transact_with_partitions(dependencies().store, [&](sql::Transaction& transaction) {
    written = write_calls(transaction, calls, NumberOrder::ascending);
  });
  report.records_written += written.count;
  const std::size_t removed = calls.size();
  pending_calls().mark_written(removed);
  pending_calls().add_full_days(written.full_days);
  return removed;
}

}  // namespace

std::unique_ptr<Accounts> make_shared_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                               const Accounts::Bounds& bounds) {
  return std::make_unique<SharedAccounts>(dependencies, std::move(schema), bounds);
}

}  // namespace tonearm::state
