#include "program/background_jobs.h"

#include <stdexcept>

#include "routes/account_routes.h"
#include "routes/oauth_routes.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kVersionIntervalMs = 5'000;
constexpr std::int64_t kDeletionsIntervalMs = 30'000;
constexpr std::size_t kEndedKeysMax = 100;
constexpr std::string_view kSearch = "/v1/search?limit=1&fields=id";

}  // namespace

void BackgroundJobs::tick() {
  try {
    run_jobs();
    if (is_failure_reported_) site_.log.info("the site is ready again");
    is_failure_reported_ = false;
  } catch (const std::exception& failure) {
    is_ready_ = false;
    report_once(failure.what());
  }
}

void BackgroundJobs::report_once(const std::string& failure) {
  if (!is_failure_reported_) site_.log.warning("the site is not ready: " + failure);
  is_failure_reported_ = true;
}

void BackgroundJobs::run_jobs() {
  const auto now_ms = site_.clock.now_ms();
  auto& backend = site_.backend;
  const auto answer = backend.probe({"GET", "/readyz"});
  if (answer.status != 200)
    throw std::runtime_error("the API answered /readyz with status " + std::to_string(answer.status));
  if (backend.is_suspended()) {
    backend.probe({"GET", std::string(kSearch), site_.operator_account.key()});  // throws if the API is still silent
    backend.resume();
  }
  site_.operator_account.ensure();
  if (now_ms >= next_version_ms_ || !is_ready_) {
    // Also checks that the site's key is still valid.
    const auto search = site_.operator_account.send({"GET", std::string(kSearch)});
    if (search.status != 200) throw std::runtime_error("the API answered with status " + std::to_string(search.status));
    next_version_ms_ = now_ms + kVersionIntervalMs;
  }
  const bool recovered = !is_ready_.exchange(true);
  if (now_ms >= next_deletions_ms_ || recovered) {
    revoke_ended_keys(site_, kEndedKeysMax);
    resume_deletions(site_);
    next_deletions_ms_ = now_ms + kDeletionsIntervalMs;
  }
  pages_.refresh_sitemap();
}

}  // namespace tonearm::web
