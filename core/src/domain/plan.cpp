#include "domain/plan.h"

#include <algorithm>
#include <cstddef>

namespace tonearm {

namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kDayMs = 86'400'000;

constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// A month of the proleptic Gregorian calendar, counted from January of year 0.
using MonthNumber = std::int64_t;

/// The calendar is counted from 1 March, so that the leap day is the last of its year, and in eras of 400 years,
/// which all have the same number of days. 1970-01-01 is day 719,468 of that count.
constexpr std::int64_t kDaysOfEra = 146'097;
constexpr std::int64_t kEpochDay = 719'468;

constexpr MonthNumber month_of_day(std::int64_t days_since_1970) {
  const std::int64_t day = days_since_1970 + kEpochDay;
  const std::int64_t era = floor_divide(day, kDaysOfEra);
  const std::int64_t day_of_era = day - era * kDaysOfEra;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t months_since_march = (5 * day_of_year + 2) / 153;
  return (era * 400 + year_of_era) * 12 + months_since_march + 2;
}

constexpr std::int64_t first_day_of_month(MonthNumber month) {
  const std::int64_t since_march = month - 2;
  const std::int64_t year = floor_divide(since_march, 12);
  const std::int64_t months_since_march = since_march - year * 12;
  const std::int64_t era = floor_divide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * months_since_march + 2) / 5;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysOfEra + day_of_era - kEpochDay;
}

constexpr WindowSpan fixed_span(std::int64_t now_ms, std::int64_t length_ms) {
  const std::int64_t begin = floor_divide(now_ms, length_ms) * length_ms;
  return {begin, begin + length_ms};
}

}  // namespace

std::optional<Plan> find_plan(std::string_view name) {
  const auto* const found = std::find(kPlanNames.begin(), kPlanNames.end(), name);
  if (found == kPlanNames.end()) return std::nullopt;
  return static_cast<Plan>(found - kPlanNames.begin());
}

RateLimits rate_limits(Plan plan) {
  // LIMIT-1.
  switch (plan) {
    case Plan::free:
      return {{20, 300, 0}};
    case Plan::pro:
      return {{60, 0, 20'000}};
    case Plan::unlimited:
      break;
  }
  return {};
}

WindowSpan window_at(Window window, std::int64_t now_ms) {
  switch (window) {
    case Window::minute:
      return fixed_span(now_ms, kMinuteMs);
    case Window::day:
      return fixed_span(now_ms, kDayMs);
    case Window::month:
      break;
  }
  const MonthNumber month = month_of_day(floor_divide(now_ms, kDayMs));
  return {first_day_of_month(month) * kDayMs, first_day_of_month(month + 1) * kDayMs};
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
  std::int64_t latest_reset_ms = 0;
  for (std::size_t index = 0; index < counted.windows.size(); ++index) {
    const auto window = static_cast<Window>(index);
    auto& count = counted.windows[index];
    // LIMIT-4: windows that this plan does not limit are counted too, in case the plan changes.
    const std::int64_t ends_ms = window_at(window, count.began_ms).end_ms;
    const std::uint32_t quota = limits.calls[index];
    if (quota != 0) {
      state.limits[index] = RateState::Limit{window, quota, quota - std::min(quota, count.calls), ends_ms};
      // LIMIT-6: the limit that resets last; if two reset together, the longer window.
      if (count.calls >= quota && (!state.exceeded || ends_ms >= latest_reset_ms)) {
        state.exceeded = window;
        latest_reset_ms = ends_ms;
      }
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
