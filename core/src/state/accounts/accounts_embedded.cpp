#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "state/accounts/account_rows.h"
#include "state/accounts/accounts_stored.h"
#include "state/accounts/admission.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

/// The most counters that one transaction of `flush` writes.
constexpr std::size_t kCountersPerBatch = 100;
// Calls also write when something has been in memory for this long, or when a flush would take long.
constexpr std::int64_t kWriteDelayMaxMs = 500;
constexpr std::size_t kDirtyCountersMax = 10 * kCountersPerBatch;
constexpr std::size_t kPendingCallsMax = 10 * kCallsPerBatch;

/// The accounts of one server process (LIMIT-10). Admission of a cached account does not lock `store_mutex()`.
class EmbeddedAccounts final : public StoredAccounts {
 public:
  EmbeddedAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds)
      : StoredAccounts(dependencies, std::move(schema), bounds), cache_(bounds.accounts_max) {}

  Admission admit(std::string_view key, Counting counting) override;
  std::optional<Admission> try_admit(std::string_view key, Counting counting) override;
  FlushReport flush() override;

 private:
  void on_account_changed(const Locator& locator) override { cache_.invalidate(locator); }
  void on_account_deleted(const Locator& locator) override { cache_.erase(locator); }
  void on_counts_reset(const Locator& locator) override { cache_.erase(locator); }
  Admission invalid_key() const;
  Admission admit_from_store(const Locator& locator, const Sha256& key_hash, Counting counting);
  std::size_t write_call_batch() override;
  void write_overdue();
  bool is_write_overdue() const;
  std::size_t write_batch(std::size_t counts_max, std::size_t calls_max, FlushReport& report);

  AdmissionCache cache_;
  std::atomic<bool> last_write_failed_ = false;
  bool last_failure_was_by_day_ = false;  // guarded by store_mutex()
};

Admission EmbeddedAccounts::invalid_key() const {
  Admission admission;
  admission.now_ms = dependencies().clock.now_ms();
  return admission;
}

std::optional<Admission> EmbeddedAccounts::try_admit(std::string_view key, Counting counting) {
  const std::optional<Locator> locator = unverified_locator(key);
  if (!locator) return invalid_key();  // KEY-2
  if (is_call_queue_full() || is_write_overdue()) return std::nullopt;
  return cache_.admit(*locator, dependencies().hashing.sha256(key), counting, dependencies().clock);
}

Admission EmbeddedAccounts::admit(std::string_view key, Counting counting) {
  const std::optional<Locator> locator = unverified_locator(key);
  if (!locator) return invalid_key();  // KEY-2
  const Sha256 key_hash = dependencies().hashing.sha256(key);
  drain_full_call_queue();
  write_overdue();
  // If the account is cached, the key's hash is proof enough. Otherwise the MAC is checked first (KEY-3), so that a key
  // of another deployment is rejected without a lookup.
  if (auto admission = cache_.admit(*locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  if (!verify_api_key(dependencies().hashing, secret(), key)) return invalid_key();
  return admit_from_store(*locator, key_hash, counting);
}

Admission EmbeddedAccounts::admit_from_store(const Locator& locator, const Sha256& key_hash, Counting counting) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  // Another call may have read the account while this one waited for the lock.
  if (auto admission = cache_.admit(locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  const std::string account = make_account_id(locator);
  const std::int64_t now_ms = dependencies().clock.now_ms();
  const auto stored = transact(dependencies().store, [&](sql::Transaction& transaction) {
    return read_stored_account(transaction, account, now_ms);
  });
  if (stored) {
    cache_.insert(locator, *stored);
    if (auto admission = cache_.admit(locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  }
  // An account that does not exist is not cached, so keys of deleted accounts use no memory.
  cache_.erase(locator);
  Admission admission;
  admission.now_ms = now_ms;
  return admission;
}

FlushReport EmbeddedAccounts::flush() {
  FlushReport report;
  // Writes only what is pending now. What arrives in the meantime is left to the next flush, so that this one ends.
  std::size_t counts_left = cache_.dirty_count();
  std::size_t calls_left = pending_calls().size();
  while (counts_left > 0 || calls_left > 0) {
    const std::size_t counts_before = report.counters_written;
    const std::size_t calls_now =
        write_batch(std::min(counts_left, kCountersPerBatch), std::min(calls_left, kCallsPerBatch), report);
    const std::size_t counts_now = report.counters_written - counts_before;
    // None were left: other threads wrote them.
    counts_left = counts_now == 0 ? 0 : counts_left - counts_now;
    calls_left = calls_now == 0 ? 0 : calls_left - calls_now;
  }
  return report;
}

std::size_t EmbeddedAccounts::write_call_batch() {
  FlushReport report;
  return write_batch(0, kCallsPerBatch, report);
}

/// LIMIT-9 at any load: if `flush` cannot keep up, each call writes a batch before it is admitted, so that writes are
/// as fast as calls. After a failure the batch stays pending, as in `flush`, and the call is not rejected.
void EmbeddedAccounts::write_overdue() {
  if (last_write_failed_ || !is_write_overdue()) return;
  FlushReport report;
  try {
    write_batch(kCountersPerBatch, kCallsPerBatch, report);
  } catch (const sql::Failure&) {
    return;
  }
}

bool EmbeddedAccounts::is_write_overdue() const {
  if (cache_.dirty_count() >= kDirtyCountersMax || pending_calls().size() >= kPendingCallsMax) return true;
  const std::int64_t deadline_ms = dependencies().clock.now_ms() - kWriteDelayMaxMs;
  const auto is_late = [deadline_ms](const std::optional<std::int64_t>& since_ms) {
    return since_ms && *since_ms <= deadline_ms;
  };
  return is_late(cache_.oldest_dirty_ms()) || is_late(pending_calls().oldest_at_ms());
}

/// RECORD-4: writes one batch, oldest first, in one transaction, so that no other write is delayed for long. If it
/// fails, the batch stays pending. Returns how many calls left the queue.
std::size_t EmbeddedAccounts::write_batch(std::size_t counts_max, std::size_t calls_max, FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  const std::vector<DirtyCounts> counts = cache_.dirty_counts(counts_max);
  const std::span<const NumberedCall> calls = pending_calls().oldest(calls_max);
  if (counts.empty() && calls.empty()) return 0;
  const bool is_low_on_space = dependencies().is_low_on_space && dependencies().is_low_on_space();  // RECORD-9
  // RECORD-7: a batch that may have been written by day is not written again in detail.
  const bool is_by_day = is_low_on_space || last_failure_was_by_day_;
  const RecordDetail detail = is_by_day ? RecordDetail::counts_by_day : RecordDetail::full;
  WrittenCalls written;
  const auto write = [&](sql::Transaction& transaction) {
    for (const DirtyCounts& count : counts) {
      write_counts(transaction, make_account_id(count.locator), count.counts);
    }
    written = write_calls(transaction, calls, NumberOrder::ascending, detail);
  };
  try {
    transact_with_partitions(dependencies().store, write);
  } catch (...) {
    last_write_failed_ = true;
    last_failure_was_by_day_ = is_by_day;
    throw;
  }
  last_write_failed_ = false;
  last_failure_was_by_day_ = false;
  cache_.mark_written(counts);
  const std::size_t calls_written = calls.size();
  pending_calls().mark_written(calls_written);
  pending_calls().add_full_days(written.full_days);
  report.counters_written += counts.size();
  report.records_written += written.count;
  return calls_written;
}

}  // namespace

std::unique_ptr<Accounts> make_embedded_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                                 const Accounts::Bounds& bounds) {
  return std::make_unique<EmbeddedAccounts>(dependencies, std::move(schema), bounds);
}

}  // namespace tonearm::state
