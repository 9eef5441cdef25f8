#include "system/worker_pool.h"

#include <optional>
#include <utility>

namespace tonearm::native {

namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kHealthThreads = 2;  // so that one check may wait for the state
constexpr std::size_t kFileThreads = 2;
constexpr std::size_t kHealthQueueMax = 256;
constexpr std::size_t kFileQueueMax = 4'096;

}  // namespace

WorkerPool::WorkerPool(std::size_t threads, const FairQueue::Limits& limits)
    : requests_(limits), health_({.waiting_max = kHealthQueueMax}), files_({.waiting_max = kFileQueueMax}) {
  threads_.reserve(threads + kHealthThreads + kFileThreads);
  const auto start = [this](std::size_t count, Queue& queue) {
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, &queue] { run(queue); });
  };
  start(threads, requests_);
  start(kHealthThreads, health_);
  start(kFileThreads, files_);
}

WorkerPool::~WorkerPool() { stop(); }

WorkerPool::Queue& WorkerPool::queue_of(ThreadGroup group) {
  if (group == ThreadGroup::health) return health_;
  return group == ThreadGroup::files ? files_ : requests_;
}

WorkerPool::Outcome WorkerPool::try_post(Placement placement, Job job) {
  auto& queue = queue_of(placement.group);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return Outcome::full;
    const auto outcome = queue.jobs.try_push(placement.owner, std::move(job));
    if (outcome != Outcome::accepted) return outcome;
  }
  queue.wake.notify_one();
  return Outcome::accepted;
}

WorkerPool::Outcome WorkerPool::post(Placement placement, Job job) {
  auto& queue = queue_of(placement.group);
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return Outcome::full;
    queue.jobs.push(placement.owner, std::move(job));
  }
  queue.wake.notify_one();
  return Outcome::accepted;
}

void WorkerPool::run(Queue& queue) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto began = Steady::now();
    auto started = queue.jobs.start(began);
    if (!started) {
      queue.wake.wait(lock);
      continue;
    }
    lock.unlock();
    started->job();
    started->job = nullptr;
    lock.lock();
    queue.jobs.finish(started->client, began, Steady::now());
    if (queue.jobs.waiting() > 0) queue.wake.notify_one();  // the client's next job may start now
  }
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  for (auto* const queue : {&requests_, &health_, &files_}) queue->wake.notify_all();
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  // No thread uses them now, and posting is rejected.
  for (auto* const queue : {&requests_, &health_, &files_}) queue->jobs.clear();
}

std::size_t WorkerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return requests_.jobs.waiting();
}

}  // namespace tonearm::native
