#pragma once
// The threads that requests run on where they may wait: never those of the I/O, and never more waiting than can be
// answered soon. What asks for the server's health has threads of its own, so that it never waits for work. Safe for
// concurrent calls.

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

  /// `queue_max`: how many new requests may wait for a thread. Threads for health come on top, with a queue of their
  /// own.
  WorkerPool(std::size_t threads, std::size_t queue_max);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Queues the first step of a request; false where the queue is full. Jobs must not throw.
  bool try_post(Job job);
  /// The same for a request that asks for the server's health: one of these may wait for the state, the next one not.
  bool try_post_health(Job job);
  /// Queues a further step of a request that was let in: it was counted, so it is never refused for want of room.
  /// False only after `stop`.
  bool post(Job job);

  /// Waits for the jobs that run, and drops those that wait.
  void stop();

  std::size_t queued() const;

 private:
  struct Lane {
    std::condition_variable wake;
    std::deque<Job> jobs;
  };

  bool add(Lane& lane, Job job, std::size_t queue_max);
  void work(Lane& lane);

  std::size_t queue_max_;
  mutable std::mutex mutex_;
  Lane requests_;
  Lane health_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tonearm::native
