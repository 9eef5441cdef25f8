#include "snapshot/catalog_watch.h"

#include <utility>

namespace tonearm::native {

CatalogWatch::CatalogWatch(CatalogHolder& holder, std::chrono::milliseconds interval, std::function<void()> after_first)
    : holder_(holder),
      thread_([this, interval, after_first = std::move(after_first)] { run(interval, after_first); }) {}

CatalogWatch::~CatalogWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  holder_.interrupt();
  wake_.notify_all();
  thread_.join();
}

void CatalogWatch::check_now() {
  {
    const std::lock_guard lock(mutex_);
    check_requested_ = true;
  }
  wake_.notify_all();
}

void CatalogWatch::run(std::chrono::milliseconds interval, const std::function<void()>& after_first) {
  holder_.poll();
  std::unique_lock lock(mutex_);
  if (!stopping_) {
    lock.unlock();
    after_first();
    lock.lock();
  }
  while (true) {
    wake_.wait_for(lock, interval, [this] { return stopping_ || check_requested_; });
    if (stopping_) return;
    check_requested_ = false;
    lock.unlock();
    holder_.poll();
    lock.lock();
  }
}

}  // namespace tonearm::native
