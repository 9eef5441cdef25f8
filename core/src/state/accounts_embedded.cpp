#include "state/accounts_embedded.h"

#include <algorithm>
#include <span>
#include <utility>

#include "state/account_rows.h"
#include "state/accounts_stored.h"
#include "state/admission.h"

namespace tonearm::state {

namespace {

/// How many counters one transaction of `flush` writes at most.
constexpr std::size_t kCountersOfBatch = 100;

/// The accounts of one server process (C7.2). Admission of an account in memory needs no `store_mutex()`.
class EmbeddedAccounts final : public StoredAccounts {
 public:
  EmbeddedAccounts(const Parts& parts, OpenedSchema schema, const Bounds& bounds)
      : StoredAccounts(parts, std::move(schema), bounds), memory_(bounds.accounts_max) {}

  Admission admit(std::string_view key) override;
  FlushReport flush() override;

 private:
  void changed(const Locator& locator) override { memory_.forget(locator); }
  void deleted(const Locator& locator) override { memory_.erase(locator); }
  Admission admit_from_store(const Locator& locator, const Sha256& key_hash);
  std::size_t write_some_calls() override;
  std::size_t write_batch(std::span<const Locator> locators, std::size_t calls_max, FlushReport& report);

  AdmissionMemory memory_;
};

Admission EmbeddedAccounts::admit(std::string_view key) {
  const auto invalid = [this] {
    Admission admission;
    admission.now_ms = parts().clock.now_ms();
    return admission;
  };
  const std::optional<Locator> locator = named_locator(key);
  if (!locator) return invalid();  // C3.1
  const Sha256 key_hash = parts().hashing.sha256(key);
  make_room_for_calls();
  // The hash of a key proves it where its account is in memory; only a look-up asks for the MAC (C3.2): what nobody of
  // this deployment made is refused without one.
  if (auto admission = memory_.admit(*locator, key_hash, parts().clock)) return *std::move(admission);
  if (!locate_api_key(parts().hashing, secret(), key)) return invalid();
  return admit_from_store(*locator, key_hash);
}

Admission EmbeddedAccounts::admit_from_store(const Locator& locator, const Sha256& key_hash) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  // Another call may have read the account while this one waited.
  if (auto admission = memory_.admit(locator, key_hash, parts().clock)) return *std::move(admission);
  std::optional<StoredAccount> stored;
  const std::string account = make_account_id(locator);
  const std::int64_t now_ms = parts().clock.now_ms();
  parts().store.transact(
      [&](sql::Transaction& transaction) { stored = read_stored_account(transaction, account, now_ms); });
  if (stored) {
    memory_.keep(locator, *stored);
    if (auto admission = memory_.admit(locator, key_hash, parts().clock)) return *std::move(admission);
  }
  // Nothing is kept of an account that does not exist: keys of deleted accounts take no memory.
  memory_.erase(locator);
  Admission admission;
  admission.now_ms = now_ms;
  return admission;
}

FlushReport EmbeddedAccounts::flush() {
  FlushReport report;
  // What comes in the meantime is the next flush's, so this one ends.
  const std::vector<Locator> counted = memory_.unwritten();
  std::span<const Locator> counts_left(counted);
  std::size_t calls_left = waiting_calls().waiting();
  while (!counts_left.empty() || calls_left > 0) {
    const auto counts_now = counts_left.first(std::min(counts_left.size(), kCountersOfBatch));
    const std::size_t calls_now = write_batch(counts_now, std::min(calls_left, kCallsOfBatch), report);
    counts_left = counts_left.subspan(counts_now.size());
    calls_left = calls_now == 0 ? 0 : calls_left - calls_now;  // none: another call of flush has written them
  }
  return report;
}

std::size_t EmbeddedAccounts::write_some_calls() {
  FlushReport report;
  return write_batch({}, kCallsOfBatch, report);
}

/// C8: in batches, each one transaction, so that no write is held for long. A fault leaves what it meets, and all that
/// follows, for the next flush. Returns how many calls it dealt with.
std::size_t EmbeddedAccounts::write_batch(std::span<const Locator> locators, std::size_t calls_max,
                                          FlushReport& report) {
  const std::lock_guard<std::mutex> lock(store_mutex());
  const std::vector<UnwrittenCounts> counts = memory_.counts_of(locators);
  const std::span<const NumberedCall> calls = waiting_calls().longest_waiting(calls_max);
  if (counts.empty() && calls.empty()) return 0;
  std::size_t records_written = 0;
  parts().store.transact([&](sql::Transaction& transaction) {
    for (const UnwrittenCounts& count : counts) {
      write_counts(transaction, make_account_id(count.locator), count.counts);
    }
    records_written = write_calls(transaction, calls);
  });
  memory_.written(counts);
  const std::size_t calls_written = calls.size();
  waiting_calls().written(calls_written);
  report.counters_written += counts.size();
  report.records_written += records_written;
  return calls_written;
}

}  // namespace

std::unique_ptr<Accounts> make_embedded_accounts(const Accounts::Parts& parts, OpenedSchema schema,
                                                 const Accounts::Bounds& bounds) {
  return std::make_unique<EmbeddedAccounts>(parts, std::move(schema), bounds);
}

}  // namespace tonearm::state
