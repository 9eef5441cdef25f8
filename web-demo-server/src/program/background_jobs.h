#pragma once
// What the site does in the background: its account, its readiness, deletions that broke off, the list of all tracks.

#include <atomic>

#include "pages/pages.h"
#include "routes/site.h"

namespace tonearm::web {

class BackgroundJobs {
 public:
  BackgroundJobs(Site& site, Pages& pages) : site_(site), pages_(pages) {}

  /// Called again and again by one thread. Does not throw.
  void tick();
  const std::atomic<bool>& is_ready() const { return is_ready_; }

 private:
  void poll();
  void report(const std::string& failure);

  Site& site_;
  Pages& pages_;
  std::atomic<bool> is_ready_{false};
  bool is_failure_reported_ = false;
  std::int64_t next_version_ms_ = 0;
  std::int64_t next_deletions_ms_ = 0;
};

}  // namespace tonearm::web
