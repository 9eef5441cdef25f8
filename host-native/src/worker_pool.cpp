#include "worker_pool.h"

#include <limits>
#include <utility>

namespace tonearm::native {

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_max) : queue_max_(queue_max) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::try_post(Job job) { return add(std::move(job), queue_max_); }

bool WorkerPool::post(Job job) { return add(std::move(job), std::numeric_limits<std::size_t>::max()); }

bool WorkerPool::add(Job job, std::size_t queue_max) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || jobs_.size() >= queue_max) return false;
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    {
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
    lock.lock();
  }
}

void WorkerPool::stop() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(jobs_);
  }
  wake_.notify_all();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::size_t WorkerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

}  // namespace tonearm::native
