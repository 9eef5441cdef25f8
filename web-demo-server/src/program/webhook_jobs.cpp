#include "program/webhook_jobs.h"

#include <exception>
#include <string>
#include <utility>

#include "public_web/curl_web.h"
#include "routes/webhook_routes.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kTimeoutMs = 15'000;

}  // namespace

WebhookJobs::WebhookJobs(Site& site, const std::atomic<bool>& is_ready, std::vector<public_web::AddressBlock> allowed)
    : site_(site), is_ready_(is_ready), allowed_(std::move(allowed)) {}

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
  send_webhook_messages(site_, [this] {
    return public_web::make_curl_web(
        {.user_agent = "tonearm-web/" TONEARM_VERSION, .allowed = allowed_, .timeout_ms = kTimeoutMs});
  });
  if (is_ready_) find_license_changes(site_);
}

}  // namespace tonearm::web
