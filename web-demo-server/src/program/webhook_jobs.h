#pragma once
// Finds license changes and delivers them to webhooks (WEB-46, WEB-47), on a thread of its own, because receivers may
// be slow.

#include <atomic>

#include "oauth/client_documents.h"
#include "routes/site.h"

namespace tonearm::web {

class WebhookJobs {
 public:
  /// `is_ready`: whether the API answers. `open_web` is called for each batch of messages.
  WebhookJobs(Site& site, const std::atomic<bool>& is_ready, ClientDocuments::OpenWeb open_web);

  /// Runs what is due. Called periodically by one thread. Does not throw.
  void tick();

 private:
  void run_jobs();

  Site& site_;
  const std::atomic<bool>& is_ready_;
  const ClientDocuments::OpenWeb open_web_;
  bool is_failure_reported_ = false;
};

}  // namespace tonearm::web
