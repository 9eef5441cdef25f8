#pragma once
// Finds license changes and delivers them to webhooks (WEB-46, WEB-47), on a thread of its own, because receivers may
// be slow.

#include <atomic>
#include <vector>

#include "public_web/public_address.h"
#include "routes/site.h"

namespace tonearm::web {

class WebhookJobs {
 public:
  /// `is_ready`: whether the API answers. `allowed`: addresses that are reached although they are not public.
  WebhookJobs(Site& site, const std::atomic<bool>& is_ready, std::vector<public_web::AddressBlock> allowed);

  /// Runs what is due. Called periodically by one thread. Does not throw.
  void tick();

 private:
  void run_jobs();

  Site& site_;
  const std::atomic<bool>& is_ready_;
  const std::vector<public_web::AddressBlock> allowed_;
  bool is_failure_reported_ = false;
};

}  // namespace tonearm::web
