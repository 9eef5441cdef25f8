#include "system/worker_pool.h"

#include <limits>
#include <utility>

namespace tonearm::native {

namespace {

constexpr std::size_t kHealthThreads = 2;
constexpr std::size_t kHealthQueueMax = 256;

}  // namespace

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_max) : queue_max_(queue_max) {
  threads_.reserve(threads + kHealthThreads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(requests_); });
  for (std::size_t i = 0; i < kHealthThreads; ++i) threads_.emplace_back([this] { run(health_); });
}

WorkerPool::~WorkerPool() { stop(); }

bool WorkerPool::try_post(Job job) { return enqueue(requests_, std::move(job), queue_max_); }

bool WorkerPool::try_post_health(Job job) { return enqueue(health_, std::move(job), kHealthQueueMax); }

bool WorkerPool::post(Job job) { return enqueue(requests_, std::move(job), std::numeric_limits<std::size_t>::max()); }

bool WorkerPool::enqueue(Queue& queue, Job job, std::size_t queue_max) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || queue.jobs.size() >= queue_max) return false;
    queue.jobs.push_back(std::move(job));
  }
  queue.wake.notify_one();
  return true;
}

void WorkerPool::run(Queue& queue) {
  std::unique_lock lock(mutex_);
  while (true) {
    queue.wake.wait(lock, [this, &queue] { return stopping_ || !queue.jobs.empty(); });
    if (stopping_) return;
    {
      const auto job = std::move(queue.jobs.front());
      queue.jobs.pop_front();
      lock.unlock();
      job();
    }
    lock.lock();
  }
}

void WorkerPool::stop() {
  std::deque<Job> dropped;
  std::deque<Job> dropped_health;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(requests_.jobs);
    dropped_health.swap(health_.jobs);
  }
  requests_.wake.notify_all();
  health_.wake.notify_all();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::size_t WorkerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return requests_.jobs.size();
}

}  // namespace tonearm::native
