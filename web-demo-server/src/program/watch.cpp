#include "program/watch.h"

#include <stdexcept>

#include "routes/account_routes.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kVersionEveryMs = 5'000;
constexpr std::int64_t kLeavingEveryMs = 30'000;

}  // namespace

void Watch::tick() {
  try {
    poll();
    if (was_reported_) site_.log.info("the catalog can be reached");
    was_reported_ = false;
  } catch (const std::exception& failure) {
    is_ready_ = false;
    report(failure.what());
  }
}

void Watch::report(const std::string& failure) {
  if (!was_reported_) site_.log.warning("the site is not ready: " + failure);
  was_reported_ = true;
}

void Watch::poll() {
  const auto now_ms = site_.clock.now_ms();
  site_.own.ensure();
  const auto answer = site_.backend.ask_api({"GET", "/readyz"});
  if (answer.status != 200)
    throw std::runtime_error("the API answers " + std::to_string(answer.status) + " to /readyz");
  if (now_ms >= next_version_ms_ || !is_ready_) {
    // Also says whether the site's key is still good.
    const auto search = site_.own.ask({"GET", "/v1/search?limit=1&fields=id"});
    if (search.status != 200) throw std::runtime_error("the API answers " + std::to_string(search.status));
    next_version_ms_ = now_ms + kVersionEveryMs;
  }
  const bool came_back = !is_ready_.exchange(true);
  if (now_ms >= next_leaving_ms_ || came_back) {
    finish_leaving(site_);
    next_leaving_ms_ = now_ms + kLeavingEveryMs;
  }
  pages_.read_on();
}

}  // namespace tonearm::web
