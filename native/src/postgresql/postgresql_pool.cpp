#include "postgresql/postgresql_pool.h"

#include <algorithm>
#include <stdexcept>

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectTimeout{3'000};
/// How long all calls fail after a failed connection attempt, before the next attempt.
constexpr milliseconds kRetryPause{250};
/// A connection that was dropped silently does not reply.
constexpr milliseconds kCheckTimeout{1'000};
/// Callers with less time left do not connect, because a timeout would prove nothing about the server.
constexpr milliseconds kTimeMin{50};

milliseconds left_until(PostgresqlPool::Deadline deadline) {
  return std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
}

}  // namespace

void PostgresqlPool::Lease::discard() {
  connection_.reset();
  const std::lock_guard<std::mutex> lock(pool_.mutex_);
  pool_.end_generation(generation_);
}

/// REQUIRES: `mutex_` is held.
void PostgresqlPool::end_generation(std::uint64_t generation) {
  if (generation != generation_) return;
  ++generation_;
  open_ -= idle_.size();
  idle_.clear();
}

PostgresqlPool::Lease PostgresqlPool::acquire(Deadline deadline) {
  Lock lock(mutex_);
  if (!borrowers_.insert(std::this_thread::get_id()).second) throw std::logic_error("transact inside transact");
  try {
    return lend(lock, deadline);
  } catch (...) {
    borrowers_.erase(std::this_thread::get_id());
    throw;
  }
}

PostgresqlPool::Counts PostgresqlPool::counts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {open_, idle_.size(), waiting_};
}

PostgresqlPool::Lease PostgresqlPool::lend(Lock& lock, Deadline deadline) {
  const auto is_free = [this] { return !idle_.empty() || open_ < connections_max_; };
  while (true) {
    if (left_until(deadline) < kTimeMin) throw sql::Failure("PostgreSQL: the deadline of the call has passed");
    ++waiting_;
    const bool found = released_.wait_until(lock, deadline, is_free);
    --waiting_;
    if (!found) {
      throw sql::Failure("PostgreSQL: all " + std::to_string(connections_max_) + " connections are in use");
    }
    const std::uint64_t generation = generation_;
    if (!idle_.empty()) {
      auto connection = take_idle(lock, deadline);
      if (connection != nullptr) return {*this, std::move(connection), generation, Lease::Origin::was_idle};
      continue;
    }
    if (steady_clock::now() >= next_attempt_) {
      auto connection = try_to_connect(lock, deadline);
      if (connection != nullptr) return {*this, std::move(connection), generation, Lease::Origin::made_now};
    }
    wait_for_open_one(lock, deadline);
  }
}

/// REQUIRES: `lock` is held; it is held again on return.
std::unique_ptr<PostgresqlConnection> PostgresqlPool::take_idle(Lock& lock, Deadline deadline) {
  Idle idle = std::move(idle_.back());
  idle_.pop_back();
  if (steady_clock::now() - idle.since < check_after_) return std::move(idle.connection);
  const std::uint64_t generation = generation_;
  lock.unlock();
  if (!idle.connection->is_alive(std::clamp(left_until(deadline), kTimeMin, kCheckTimeout))) idle.connection.reset();
  lock.lock();
  if (idle.connection == nullptr) {
    --open_;
    end_generation(generation);
    released_.notify_all();
  }
  return std::move(idle.connection);
}

/// REQUIRES: `lock` is held; it is held again on return.
std::unique_ptr<PostgresqlConnection> PostgresqlPool::try_to_connect(Lock& lock, Deadline deadline) {
  // After a failed attempt only one thread at a time retries, so that an unresponsive server does not block all of
  // them.
  if (!last_failure_.empty()) next_attempt_ = steady_clock::now() + kConnectTimeout + kRetryPause;
  ++open_;
  ++connecting_;
  lock.unlock();
  std::unique_ptr<PostgresqlConnection> connection;
  std::string failure;
  try {
    connection =
        std::make_unique<PostgresqlConnection>(url_, std::clamp(left_until(deadline), kTimeMin, kConnectTimeout));
  } catch (const std::exception& failed) {
    failure = failed.what();
  }
  lock.lock();
  --connecting_;
  last_failure_ = failure;
  next_attempt_ = failure.empty() ? Deadline() : steady_clock::now() + kRetryPause;
  if (connection == nullptr) --open_;
  released_.notify_all();
  return connection;
}

/// Waits until a connection is idle, or until the next connection attempt. REQUIRES: `lock` is held.
void PostgresqlPool::wait_for_open_one(Lock& lock, Deadline deadline) {
  const auto is_done = [this] { return !idle_.empty() || !is_any_open(); };
  const Deadline until = std::min(deadline, next_attempt_);
  ++waiting_;
  const bool done = released_.wait_until(lock, until, is_done);
  --waiting_;
  if (done && !idle_.empty()) return;
  if (!last_failure_.empty() && (!is_any_open() || steady_clock::now() >= deadline)) throw sql::Failure(last_failure_);
}

/// REQUIRES: `mutex_` is held.
void PostgresqlPool::close_lease() {
  --open_;
  borrowers_.erase(std::this_thread::get_id());
  released_.notify_all();
}

void PostgresqlPool::release(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_reusable = connection != nullptr && connection->in_sync() && !connection->needs_recycle();
  if (!is_reusable || generation != generation_) return close_lease();
  connection->set_deadline(Deadline::max());
  idle_.push_back({std::move(connection), steady_clock::now()});
  borrowers_.erase(std::this_thread::get_id());
  released_.notify_one();
}

}  // namespace tonearm::native
