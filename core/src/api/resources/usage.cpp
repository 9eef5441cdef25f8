// GET /v1/usage: an account's limits and calls (LIMIT-15).

#include <algorithm>

#include "api/resources/handlers.h"
#include "domain/api_key.h"
#include "table/usage_answers.h"

namespace tonearm::api {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kDaysShown = 31;

/// Returns all days, today first, even those without calls. Adds this call, whose record is written after its answer.
std::vector<table::DayCalls> last_days(const std::vector<state::DayUsage>& used, std::int64_t now_ms) {
  const std::int64_t today_ms = now_ms - now_ms % kDayMs;
  std::vector<table::DayCalls> days;
  for (std::int64_t i = 0; i < kDaysShown; ++i) days.push_back({today_ms - i * kDayMs, i == 0 ? 1U : 0U});
  for (const state::DayUsage& day : used) {
    const std::int64_t ago = (today_ms - day.day_begin_ms) / kDayMs;
    if (day.day_begin_ms <= today_ms && ago < kDaysShown) days[static_cast<std::size_t>(ago)].calls += day.calls;
  }
  return days;
}

}  // namespace

Answer answer_own_usage(Call& call) {
  const std::string& account = call.admitted.account;
  const auto info = call.accounts.show_account(account);
  const auto limits = call.accounts.limits(account);
  const auto used = call.call_log.usage(account);
  if (!info || !limits || !used) return invalid_key_error();  // KEY-13: the account was deleted after admission
  table::OwnUsageView view;
  view.plan = limits->plan;
  for (const auto& window : limits->windows) {
    if (!window.quota) continue;
    const std::uint32_t remaining = *window.quota - std::min(window.calls, *window.quota);
    view.limits.push_back({window.window, *window.quota, remaining, window.resets_ms});
  }
  view.days = last_days(*used, call.admitted.counted_ms);
  view.keys = info->active_keys;
  view.collections = call.collections.count(account);
  return json_response(200, table::kOwnUsageType, view);
}

}  // namespace tonearm::api
