#include "postgresql/postgresql_pool.h"

#include <algorithm>
#include <stdexcept>

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectTimeout{3'000};
/// How long everybody is told of a failed try before there is another.
constexpr milliseconds kBetweenTries{250};
/// A connection that was dropped without a word says nothing.
constexpr milliseconds kCheckTimeout{1'000};
/// Who has less time left than that tries nothing: what would fail for want of time says nothing of the server.
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

PostgresqlPool::Lease PostgresqlPool::take(Deadline deadline) {
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
    if (left_until(deadline) < kTimeMin) throw sql::Failure("PostgreSQL: the time of the call is over");
    ++waiting_;
    const bool found = given_back_.wait_until(lock, deadline, is_free);
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
    if (steady_clock::now() >= next_try_) {
      auto connection = try_to_connect(lock, deadline);
      if (connection != nullptr) return {*this, std::move(connection), generation, Lease::Origin::made_now};
    }
    wait_for_open_one(lock, deadline);
  }
}

/// REQUIRES: `lock` is held, as it is afterwards.
std::unique_ptr<PostgresqlConnection> PostgresqlPool::take_idle(Lock& lock, Deadline deadline) {
  Idle taken = std::move(idle_.back());
  idle_.pop_back();
  if (steady_clock::now() - taken.since < check_after_) return std::move(taken.connection);
  const std::uint64_t generation = generation_;
  lock.unlock();
  if (!taken.connection->is_alive(std::clamp(left_until(deadline), kTimeMin, kCheckTimeout))) taken.connection.reset();
  lock.lock();
  if (taken.connection == nullptr) {
    --open_;
    end_generation(generation);
    given_back_.notify_all();
  }
  return std::move(taken.connection);
}

/// REQUIRES: `lock` is held, as it is afterwards.
std::unique_ptr<PostgresqlConnection> PostgresqlPool::try_to_connect(Lock& lock, Deadline deadline) {
  // After a failed try one thread at a time tries again: a server that says nothing must not hold all of them.
  if (!last_failure_.empty()) next_try_ = steady_clock::now() + kConnectTimeout + kBetweenTries;
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
  next_try_ = failure.empty() ? Deadline() : steady_clock::now() + kBetweenTries;
  if (connection == nullptr) --open_;
  given_back_.notify_all();
  return connection;
}

/// Until one is idle, or it is time for another try.
/// REQUIRES: `lock` is held.
void PostgresqlPool::wait_for_open_one(Lock& lock, Deadline deadline) {
  const auto ends = [this] { return !idle_.empty() || !is_any_open(); };
  const Deadline until = std::min(deadline, next_try_);
  ++waiting_;
  const bool ended = given_back_.wait_until(lock, until, ends);
  --waiting_;
  if (ended && !idle_.empty()) return;
  if (!last_failure_.empty() && (!is_any_open() || steady_clock::now() >= deadline)) throw sql::Failure(last_failure_);
}

/// REQUIRES: `mutex_` is held.
void PostgresqlPool::end_loan() {
  --open_;
  borrowers_.erase(std::this_thread::get_id());
  given_back_.notify_all();
}

void PostgresqlPool::give_back(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_good = connection != nullptr && connection->in_sync() && !connection->needs_recycle();
  if (!is_good || generation != generation_) return end_loan();
  connection->set_deadline(Deadline::max());
  idle_.push_back({std::move(connection), steady_clock::now()});
  borrowers_.erase(std::this_thread::get_id());
  given_back_.notify_one();
}

}  // namespace tonearm::native
