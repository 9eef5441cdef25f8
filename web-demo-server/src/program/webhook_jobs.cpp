#include "program/webhook_jobs.h"

#include <exception>
#include <string>
#include <utility>

#include "routes/webhook_routes.h"

namespace tonearm::web {

WebhookJobs::WebhookJobs(Site& site, const std::atomic<bool>& is_ready, ClientDocuments::OpenWeb open_web)
    : site_(site), is_ready_(is_ready), open_web_(std::move(open_web)) {}

void WebhookJobs::tick() {
  try {
    run_jobs();
    is_failure_reported_ = false;
  } catch (const std::exception& failure) {
    if (!is_failure_reported_) site_.log.warning(std::string("webhooks are delayed: ") + failure.what());
    is_failure_reported_ = true;
  }
}

void WebhookJobs::run_jobs() {
  send_webhook_messages(site_, open_web_);
  if (is_ready_) find_license_changes(site_);
}

}  // namespace tonearm::web
