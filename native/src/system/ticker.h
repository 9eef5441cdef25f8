#pragma once
// A thread that does one thing again and again.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tonearm::native {

class Ticker {
 public:
  /// Calls `work` every `interval` from now on. `work` must not throw.
  Ticker(std::chrono::milliseconds interval, std::function<void()> work);
  /// Waits for the call under way.
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
