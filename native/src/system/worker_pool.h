#pragma once
// The threads that run requests which may wait, with a bounded queue. Health checks have their own threads and never
// queue behind other requests. Safe for concurrent calls.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tonearm::native {

class WorkerPool {
 public:
  using Job = std::function<void()>;

  /// `queue_max`: how many new requests may wait for a thread. The threads for health checks are extra.
  WorkerPool(std::size_t threads, std::size_t queue_max);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Enqueues the first step of a request. Returns false if the queue is full. Jobs must not throw.
  bool try_post(Job job);
  /// Does the same for a health check. There are two threads, so that one check may wait for the state.
  bool try_post_health(Job job);
  /// Enqueues a further step of an admitted request, even if the queue is full. Returns false only after `stop`.
  bool post(Job job);

  /// Waits for running jobs and drops queued ones.
  void stop();

  std::size_t queued() const;

 private:
  struct Queue {
    std::condition_variable wake;
    std::deque<Job> jobs;
  };

  bool enqueue(Queue& queue, Job job, std::size_t queue_max);
  void run(Queue& queue);

  std::size_t queue_max_;
  mutable std::mutex mutex_;
  Queue requests_;
  Queue health_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
