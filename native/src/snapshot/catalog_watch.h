#pragma once
// The thread that looks whether there is another snapshot (HOST-8).

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "snapshot/catalog_holder.h"

namespace tonearm::native {

class CatalogWatch {
 public:
  /// Looks at once, then every `interval`. `after_first` is called on the watch's thread when the first look is over;
  /// it must not throw. The holder outlives the watch.
  CatalogWatch(CatalogHolder& holder, std::chrono::milliseconds interval, std::function<void()> after_first);
  /// Gives up a check under way.
  ~CatalogWatch();
  CatalogWatch(const CatalogWatch&) = delete;
  CatalogWatch& operator=(const CatalogWatch&) = delete;

  /// Looks now, or again after the look under way; does not wait for it. From any thread, but not from a signal
  /// handler.
  void check_now();

 private:
  void run(std::chrono::milliseconds interval, const std::function<void()>& after_first);

  CatalogHolder& holder_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tonearm::native
