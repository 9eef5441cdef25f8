#include "state/readiness.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kRecentMs = 1'000;

/// A clock that was set back makes a look an old one.
bool is_recent(std::int64_t then_ms, std::int64_t now_ms) { return now_ms >= then_ms && now_ms - then_ms < kRecentMs; }

}  // namespace

void Readiness::check() {
  std::unique_lock lock(mutex_);
  const std::int64_t now_ms = clock_.now_ms();
  if (looking_since_ms_ && !is_recent(*looking_since_ms_, now_ms)) throw sql::Failure("the state does not answer");
  const bool is_known = last_ && (looking_since_ms_ || is_recent(last_->at_ms, now_ms));
  if (is_known) {
    if (last_->failure) throw sql::Failure(*last_->failure);
    return;
  }
  if (looking_since_ms_) throw sql::Failure("the state has not answered yet");
  looking_since_ms_ = now_ms;
  lock.unlock();
  Look look;
  try {
    write();
  } catch (const sql::Failure& failure) {
    look.failure = failure.what();
  } catch (...) {
    lock.lock();
    looking_since_ms_.reset();
    throw;
  }
  lock.lock();
  looking_since_ms_.reset();
  look.at_ms = now_ms;
  last_ = look;
  if (look.failure) throw sql::Failure(*look.failure);
}

/// Reading alone would find a full disk, and a database that has become read-only, in order.
void Readiness::write() {
  const std::string now = std::to_string(clock_.now_ms());
  store_.transact_read_committed([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO state_meta (name, value) VALUES ('last_look', ?1)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {now});
  });
}

}  // namespace tonearm::state
