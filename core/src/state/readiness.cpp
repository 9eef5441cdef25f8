#include "state/readiness.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kRecentMs = 1'000;

/// After the clock was set back, a probe is not recent.
bool is_recent(std::int64_t then_ms, std::int64_t now_ms) { return now_ms >= then_ms && now_ms - then_ms < kRecentMs; }

}  // namespace

void Readiness::check() {
  std::unique_lock lock(mutex_);
  const std::int64_t now_ms = clock_.now_ms();
  if (probing_since_ms_ && !is_recent(*probing_since_ms_, now_ms)) throw sql::Failure("the state does not answer");
  const bool is_known = last_probe_ && (probing_since_ms_ || is_recent(last_probe_->at_ms, now_ms));
  if (is_known) {
    if (last_probe_->failure) throw sql::Failure(*last_probe_->failure);
    return;
  }
  if (probing_since_ms_) throw sql::Failure("the state has not answered yet");
  probing_since_ms_ = now_ms;
  lock.unlock();
  Probe probe;
  try {
    write_probe();
  } catch (const sql::Failure& failure) {
    probe.failure = failure.what();
  } catch (...) {
    lock.lock();
    probing_since_ms_.reset();
    throw;
  }
  lock.lock();
  probing_since_ms_.reset();
  probe.at_ms = now_ms;
  last_probe_ = probe;
  if (probe.failure) throw sql::Failure(*probe.failure);
}

/// Writes, because reading succeeds on a full disk and on a read-only database.
void Readiness::write_probe() {
  const std::string now = std::to_string(clock_.now_ms());
  store_.transact_anywhere([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO state_meta (name, value) VALUES ('last_look', ?1)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {now});
  });
}

}  // namespace tonearm::state
