#pragma once
// The thread that polls for a new snapshot (HOST-8).

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "snapshot/catalog_holder.h"

namespace tonearm::native {

class CatalogWatch {
 public:
  /// Polls at once, then every `interval`. Calls `after_first` on its thread after the first poll; it must not throw.
  /// The holder outlives the watch.
  CatalogWatch(CatalogHolder& holder, std::chrono::milliseconds interval, std::function<void()> after_first);
  /// Cancels a running check.
  ~CatalogWatch();
  CatalogWatch(const CatalogWatch&) = delete;
  CatalogWatch& operator=(const CatalogWatch&) = delete;

  /// Requests a poll, which runs after a running one, and does not wait for it. Any thread may call it, but no signal
  /// handler.
  void check_now();

 private:
  void run(std::chrono::milliseconds interval, const std::function<void()>& after_first);

  CatalogHolder& holder_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool check_requested_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tonearm::native
