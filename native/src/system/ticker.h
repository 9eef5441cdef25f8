#pragma once
// A thread that repeats a job.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tonearm::native {

class Ticker {
 public:
  /// Calls `work` every `interval`, first after one interval. `work` must not throw.
  Ticker(std::chrono::milliseconds interval, std::function<void()> work);
  /// Waits for a running call.
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tonearm::native
