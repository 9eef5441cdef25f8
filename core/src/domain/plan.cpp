#include "domain/plan.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tonearm {

namespace {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

WindowSpan span_between(Instant begin, Instant end) {
  return {begin.time_since_epoch().count(), end.time_since_epoch().count()};
}

template <class Length>
WindowSpan span_of_length(Instant now) {
  const auto begin = std::chrono::floor<Length>(now);
  return span_between(begin, begin + Length(1));
}

WindowSpan month_span(Instant now) {
  using std::chrono::sys_days;
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const auto month = today.year() / today.month();
  return span_between(sys_days{month / 1}, sys_days{(month + std::chrono::months(1)) / 1});
}

}  // namespace

std::optional<Plan> find_plan(std::string_view name) {
  const auto* const found = std::find(kPlanNames.begin(), kPlanNames.end(), name);
  if (found == kPlanNames.end()) return std::nullopt;
  return static_cast<Plan>(found - kPlanNames.begin());
}

RateLimits rate_limits(Plan plan) {
  constexpr std::array<RateLimits, kPlanNames.size()> kLimits{{{{20, 300, 0}}, {{60, 0, 20'000}}, {}}};  // LIMIT-1
  return kLimits[static_cast<std::size_t>(plan)];
}

WindowSpan window_at(Window window, std::int64_t now_ms) {
  const Instant now{std::chrono::milliseconds(now_ms)};
  if (window == Window::minute) return span_of_length<std::chrono::minutes>(now);
  if (window == Window::day) return span_of_length<std::chrono::days>(now);
  return month_span(now);
}

CallCounts current_counts(const CallCounts& counts, std::int64_t now_ms) {
  CallCounts current = counts;
  for (std::size_t index = 0; index < current.windows.size(); ++index) {
    auto& count = current.windows[index];
    const std::int64_t begin_ms = window_at(static_cast<Window>(index), now_ms).begin_ms;
    if (begin_ms > count.began_ms || count.began_ms > now_ms + kWindowAheadMsMax) count = {begin_ms, 0};
  }
  return current;
}

RateState count_call(CallCounts& counts, const RateLimits& limits, std::int64_t now_ms) {
  CallCounts counted = current_counts(counts, now_ms);
  RateState state;
  for (std::size_t index = 0; index < counted.windows.size(); ++index) {
    const auto window = static_cast<Window>(index);
    auto& count = counted.windows[index];
    // LIMIT-4: windows that this plan does not limit are counted too, in case the plan changes.
    const std::int64_t ends_ms = window_at(window, count.began_ms).end_ms;
    const std::uint32_t quota = limits.calls[index];
    if (quota != 0) {
      state.limits[index] = RateState::Limit{window, quota, quota - std::min(quota, count.calls), ends_ms};
      // LIMIT-6: the limit that resets last; if two reset together, the longer window. No window ends before a shorter
      // one, because all of them are counted together.
      if (count.calls >= quota) state.exceeded = window;
    }
    ++count.calls;
  }
  if (state.exceeded) return state;
  counts = counted;
  for (auto& limit : state.limits) {
    if (limit) --limit->remaining;
  }
  return state;
}

}  // namespace tonearm
