#include "postgresql_pool.h"

#include <algorithm>
#include <stdexcept>

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectTimeout{3'000};
/// How long everybody is told of a failed try before there is another.
constexpr milliseconds kBetweenTries{250};

}  // namespace

void PostgresqlPool::Lease::discard() {
  connection_.reset();
  const std::lock_guard<std::mutex> lock(pool_.mutex_);
  if (generation_ != pool_.generation_) return;
  ++pool_.generation_;
  pool_.open_ -= pool_.idle_.size();
  pool_.idle_.clear();
}

PostgresqlPool::Lease PostgresqlPool::take(Deadline deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!borrowers_.insert(std::this_thread::get_id()).second) throw std::logic_error("transact inside transact");
  const auto is_free = [this] { return !idle_.empty() || open_ < connections_max_; };
  if (!given_back_.wait_until(lock, deadline, is_free)) {
    borrowers_.erase(std::this_thread::get_id());
    throw sql::Failure("PostgreSQL: all " + std::to_string(connections_max_) + " connections are in use");
  }
  const std::uint64_t generation = generation_;
  if (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return {*this, std::move(connection), generation};
  }
  if (steady_clock::now() < next_try_) {
    borrowers_.erase(std::this_thread::get_id());
    throw sql::Failure(last_fault_);
  }
  ++open_;
  lock.unlock();
  return {*this, connect(deadline), generation};
}

std::unique_ptr<PostgresqlConnection> PostgresqlPool::connect(Deadline deadline) {
  try {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
    return std::make_unique<PostgresqlConnection>(url_, std::clamp(left, milliseconds(1), kConnectTimeout));
  } catch (const sql::Failure& fault) {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_try_ = steady_clock::now() + kBetweenTries;
    last_fault_ = fault.what();
    end_loan();
    throw;
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    end_loan();
    throw;
  }
}

/// REQUIRES: `mutex_` is held.
void PostgresqlPool::end_loan() {
  --open_;
  borrowers_.erase(std::this_thread::get_id());
  given_back_.notify_one();
}

void PostgresqlPool::give_back(std::unique_ptr<PostgresqlConnection> connection, std::uint64_t generation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (connection == nullptr || !connection->in_step() || generation != generation_) return end_loan();
  idle_.push_back(std::move(connection));
  borrowers_.erase(std::this_thread::get_id());
  given_back_.notify_one();
}

}  // namespace tonearm::native
