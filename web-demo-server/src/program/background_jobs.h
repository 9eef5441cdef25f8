#pragma once
// The background jobs of the site: its own account, readiness, unfinished deletions, the sitemap.

#include <atomic>

#include "pages/pages.h"
#include "routes/site.h"

namespace tonearm::web {

class BackgroundJobs {
 public:
  BackgroundJobs(Site& site, Pages& pages) : site_(site), pages_(pages) {}

  /// Runs the jobs that are due. Called periodically by one thread. Does not throw.
  void tick();
  const std::atomic<bool>& is_ready() const { return is_ready_; }

 private:
  void run_jobs();
  void report_once(const std::string& failure);

  Site& site_;
  Pages& pages_;
  std::atomic<bool> is_ready_{false};
  bool is_failure_reported_ = false;
  std::int64_t next_version_ms_ = 0;
  std::int64_t next_deletions_ms_ = 0;
};

}  // namespace tonearm::web
