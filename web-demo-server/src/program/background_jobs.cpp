#include "program/background_jobs.h"

#include <stdexcept>

#include "routes/account_routes.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kVersionIntervalMs = 5'000;
constexpr std::int64_t kDeletionsIntervalMs = 30'000;

}  // namespace

void BackgroundJobs::tick() {
  try {
    poll();
    if (is_failure_reported_) site_.log.info("the catalog can be reached");
    is_failure_reported_ = false;
  } catch (const std::exception& failure) {
    is_ready_ = false;
    report(failure.what());
  }
}

void BackgroundJobs::report(const std::string& failure) {
  if (!is_failure_reported_) site_.log.warning("the site is not ready: " + failure);
  is_failure_reported_ = true;
}

void BackgroundJobs::poll() {
  const auto now_ms = site_.clock.now_ms();
  site_.operator_account.ensure();
  const auto answer = site_.backend.send_to_api({"GET", "/readyz"});
  if (answer.status != 200)
    throw std::runtime_error("the API answers " + std::to_string(answer.status) + " to /readyz");
  if (now_ms >= next_version_ms_ || !is_ready_) {
    // Also says whether the site's key is still good.
    const auto search = site_.operator_account.send({"GET", "/v1/search?limit=1&fields=id"});
    if (search.status != 200) throw std::runtime_error("the API answers " + std::to_string(search.status));
    next_version_ms_ = now_ms + kVersionIntervalMs;
  }
  const bool came_back = !is_ready_.exchange(true);
  if (now_ms >= next_deletions_ms_ || came_back) {
    resume_deletions(site_);
    next_deletions_ms_ = now_ms + kDeletionsIntervalMs;
  }
  pages_.read_on();
}

}  // namespace tonearm::web
