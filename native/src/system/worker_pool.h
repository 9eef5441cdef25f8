#pragma once
// The threads that run requests which may wait, with bounded queues. Health checks and reads of files have their own
// threads and never queue behind other requests. Safe for concurrent calls.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "system/fair_queue.h"

namespace tonearm::native {

class WorkerPool {
 public:
  using Job = FairQueue::Job;
  using Outcome = FairQueue::Outcome;

  enum class ThreadGroup : std::uint8_t { requests, health, files };
  /// Where a job runs, and whom it counts for.
  struct Placement {
    ThreadGroup group = ThreadGroup::requests;
    JobOwner owner = JobOwner::everyone;
  };

  /// `limits`: of requests. The threads for health checks and files are extra.
  WorkerPool(std::size_t threads, const FairQueue::Limits& limits);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Enqueues the first step of a request. Jobs must not throw.
  Outcome try_post(Placement placement, Job job);
  /// Enqueues a further step of an admitted request, even if the queue is full. Fails only after `stop`.
  Outcome post(Placement placement, Job job);

  /// Waits for running jobs and drops queued ones.
  void stop();

  /// The number of queued requests.
  std::size_t queued() const;

 private:
  struct Queue {
    explicit Queue(const FairQueue::Limits& limits) : jobs(limits) {}
    std::condition_variable wake;
    FairQueue jobs;
  };

  Queue& queue_of(ThreadGroup group);
  void run(Queue& queue);

  mutable std::mutex mutex_;
  Queue requests_;
  Queue health_;
  Queue files_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
