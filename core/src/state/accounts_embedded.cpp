#include "state/accounts_embedded.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "state/account_rows.h"
#include "state/accounts_stored.h"
#include "state/admission.h"

namespace tonearm::state {

namespace {

/// How many counters one transaction of `flush` writes at most.
constexpr std::size_t kCountersOfBatch = 100;
/// What waits is written by calls too where it waits that long, or is so much that a flush would take long.
constexpr std::int64_t kWaitMsMax = 500;
constexpr std::size_t kCountersMax = 10 * kCountersOfBatch;
constexpr std::size_t kCallsMax = 10 * kCallsOfBatch;

/// The accounts of one server process (LIMIT-10). Admission of an account in memory needs no `store_mutex()`.
class EmbeddedAccounts final : public StoredAccounts {
 public:
  EmbeddedAccounts(const Dependencies& dependencies, OpenedSchema schema, const Bounds& bounds)
      : StoredAccounts(dependencies, std::move(schema), bounds), memory_(bounds.accounts_max) {}

  Admission admit(std::string_view key, Counting counting) override;
  std::optional<Admission> try_admit(std::string_view key, Counting counting) override;
  FlushReport flush() override;

 private:
  void changed(const Locator& locator) override { memory_.forget(locator); }
  void deleted(const Locator& locator) override { memory_.erase(locator); }
  void counts_reset(const Locator& locator) override { memory_.erase(locator); }
  Admission invalid_key() const;
  Admission admit_from_store(const Locator& locator, const Sha256& key_hash, Counting counting);
  std::size_t write_some_calls() override;
  void keep_up();
  bool is_behind() const;
  std::size_t write_batch(std::size_t counts_max, std::size_t calls_max, FlushReport& report);

  AdmissionMemory memory_;
  std::atomic<bool> writing_fails_ = false;
};

Admission EmbeddedAccounts::invalid_key() const {
  Admission admission;
  admission.now_ms = dependencies().clock.now_ms();
  return admission;
}

std::optional<Admission> EmbeddedAccounts::try_admit(std::string_view key, Counting counting) {
  const std::optional<Locator> locator = unverified_locator(key);
  if (!locator) return invalid_key();  // KEY-2
  if (!has_room_for_calls() || is_behind()) return std::nullopt;
  return memory_.admit(*locator, dependencies().hashing.sha256(key), counting, dependencies().clock);
}

Admission EmbeddedAccounts::admit(std::string_view key, Counting counting) {
  const std::optional<Locator> locator = unverified_locator(key);
  if (!locator) return invalid_key();  // KEY-2
  const Sha256 key_hash = dependencies().hashing.sha256(key);
  make_room_for_calls();
  keep_up();
  // The hash of a key proves it where its account is in memory; only a look-up asks for the MAC (KEY-3): a key that
  // this deployment did not make is refused without one.
  if (auto admission = memory_.admit(*locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  if (!verify_api_key(dependencies().hashing, secret(), key)) return invalid_key();
  return admit_from_store(*locator, key_hash, counting);
}

Admission EmbeddedAccounts::admit_from_store(const Locator& locator, const Sha256& key_hash, Counting counting) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  // Another call may have read the account while this one waited.
  if (auto admission = memory_.admit(locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  std::optional<StoredAccount> stored;
  const std::string account = make_account_id(locator);
  const std::int64_t now_ms = dependencies().clock.now_ms();
  dependencies().store.transact(
      [&](sql::Transaction& transaction) { stored = read_stored_account(transaction, account, now_ms); });
  if (stored) {
    memory_.keep(locator, *stored);
    if (auto admission = memory_.admit(locator, key_hash, counting, dependencies().clock)) return *std::move(admission);
  }
  // Nothing is kept of an account that does not exist: keys of deleted accounts take no memory.
  memory_.erase(locator);
  Admission admission;
  admission.now_ms = now_ms;
  return admission;
}

FlushReport EmbeddedAccounts::flush() {
  FlushReport report;
  // As much as waits now: what comes in the meantime comes after it and is the next flush's, so this one ends.
  std::size_t counts_left = memory_.unwritten_count();
  std::size_t calls_left = waiting_calls().waiting();
  while (counts_left > 0 || calls_left > 0) {
    const std::size_t counts_before = report.counters_written;
    const std::size_t calls_now =
        write_batch(std::min(counts_left, kCountersOfBatch), std::min(calls_left, kCallsOfBatch), report);
    const std::size_t counts_now = report.counters_written - counts_before;
    // None: others have written them.
    counts_left = counts_now == 0 ? 0 : counts_left - counts_now;
    calls_left = calls_now == 0 ? 0 : calls_left - calls_now;
  }
  return report;
}

std::size_t EmbeddedAccounts::write_some_calls() {
  FlushReport report;
  return write_batch(0, kCallsOfBatch, report);
}

/// LIMIT-9, at any load: where more comes than `flush` writes in time, each call writes a batch before it is admitted,
/// so that no more comes than is written. What fails waits, as in `flush`: a call is not refused for it.
void EmbeddedAccounts::keep_up() {
  if (writing_fails_ || !is_behind()) return;
  FlushReport report;
  try {
    write_batch(kCountersOfBatch, kCallsOfBatch, report);
  } catch (const sql::Failure&) {
    return;
  }
}

bool EmbeddedAccounts::is_behind() const {
  if (memory_.unwritten_count() >= kCountersMax || waiting_calls().waiting() >= kCallsMax) return true;
  const std::int64_t late_ms = dependencies().clock.now_ms() - kWaitMsMax;
  const auto is_late = [late_ms](const std::optional<std::int64_t>& since_ms) {
    return since_ms && *since_ms <= late_ms;
  };
  return is_late(memory_.unwritten_since_ms()) || is_late(waiting_calls().waiting_since_ms());
}

/// RECORD-4: in batches, each one transaction, so that no write is held for long; what waits longest comes first. What
/// fails, and all that follows it, waits for the next one. Returns how many calls it dealt with.
std::size_t EmbeddedAccounts::write_batch(std::size_t counts_max, std::size_t calls_max, FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  const std::vector<UnwrittenCounts> counts = memory_.counts_of(memory_.unwritten(counts_max));
  const std::span<const NumberedCall> calls = waiting_calls().longest_waiting(calls_max);
  if (counts.empty() && calls.empty()) return 0;
  const bool is_short = dependencies().is_short_of_room && dependencies().is_short_of_room();  // RECORD-9
  const Detail detail = is_short ? Detail::counts_by_day : Detail::whole;
  std::size_t records_written = 0;
  const auto write = [&](sql::Transaction& transaction) {
    for (const UnwrittenCounts& count : counts) {
      write_counts(transaction, make_account_id(count.locator), count.counts);
    }
    records_written = write_calls(transaction, calls, Numbers::in_order, detail);
  };
  try {
    dependencies().store.transact(write);
  } catch (...) {
    writing_fails_ = true;
    throw;
  }
  writing_fails_ = false;
  memory_.written(counts);
  const std::size_t calls_written = calls.size();
  waiting_calls().written(calls_written);
  report.counters_written += counts.size();
  report.records_written += records_written;
  return calls_written;
}

}  // namespace

std::unique_ptr<Accounts> make_embedded_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                                 const Accounts::Bounds& bounds) {
  return std::make_unique<EmbeddedAccounts>(dependencies, std::move(schema), bounds);
}

}  // namespace tonearm::state
