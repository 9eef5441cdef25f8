#include "system/ticker.h"

#include <utility>

namespace tonearm::native {

Ticker::Ticker(std::chrono::milliseconds interval, std::function<void()> work)
    : thread_([this, interval, work = std::move(work)] {
        std::unique_lock lock(mutex_);
        while (true) {
          wake_.wait_for(lock, interval, [this] { return stopping_; });
          if (stopping_) return;
          lock.unlock();
          work();
          lock.lock();
        }
      }) {}

Ticker::~Ticker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

}  // namespace tonearm::native
