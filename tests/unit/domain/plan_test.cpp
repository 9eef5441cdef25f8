#include "domain/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace tonearm;

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kJanuary15Noon2026 = 1'768'478'400'000;

/// The calendar oracle: counts days one by one from 1970.
struct NaiveDate {
  int year = 1970;
  int month = 1;
  int day = 1;

  int month_length() const {
    constexpr int kLengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : kLengths[month - 1];
  }
  void next() {
    if (++day <= month_length()) return;
    day = 1;
    if (++month <= 12) return;
    month = 1;
    ++year;
  }
};

std::uint32_t admitted_of(std::uint32_t tries, CallCounts& counts, Plan plan, std::int64_t now_ms) {
  std::uint32_t admitted = 0;
  for (std::uint32_t call = 0; call < tries; ++call) {
    if (!count_call(counts, rate_limits(plan), now_ms).exceeded) ++admitted;
  }
  return admitted;
}

}  // namespace

TEST_CASE("plans are found only by their names") {
  CHECK(find_plan("free") == Plan::free);
  CHECK(find_plan("pro") == Plan::pro);
  CHECK(find_plan("unlimited") == Plan::unlimited);
  for (const auto* name : {"", "Free", "free ", "pr", "gold"}) CHECK_FALSE(find_plan(name).has_value());
}

TEST_CASE("the limits equal those of the specification") {
  CHECK(rate_limits(Plan::free).calls == std::array<std::uint32_t, 3>{20, 300, 0});
  CHECK(rate_limits(Plan::pro).calls == std::array<std::uint32_t, 3>{60, 0, 20'000});
  CHECK_FALSE(rate_limits(Plan::unlimited).any());
}

TEST_CASE("windows begin and end with minutes, days and months in UTC") {
  struct Case {
    Window window;
    std::int64_t now, begin, end;
  };
  constexpr Case kCases[] = {
      {Window::minute, 0, 0, 60'000},
      {Window::minute, 59'999, 0, 60'000},
      {Window::minute, 60'000, 60'000, 120'000},
      {Window::minute, -1, -60'000, 0},
      {Window::day, kDayMs - 1, 0, kDayMs},
      {Window::day, -1, -kDayMs, 0},
      {Window::month, 0, 0, 31 * kDayMs},
      {Window::month, -1, -31 * kDayMs, 0},
      {Window::month, kJanuary15Noon2026, 1'767'225'600'000, 1'769'904'000'000},  // January 2026
      {Window::month, 1'709'164'800'000, 1'706'745'600'000, 1'709'251'200'000},   // 29 February 2024
      {Window::month, 1'735'689'599'999, 1'733'011'200'000, 1'735'689'600'000},   // the last instant of 2024
      {Window::month, 951'782'400'000, 949'363'200'000, 951'868'800'000},         // 29 February 2000
  };
  for (const auto& test : kCases) {
    CAPTURE(test.now);
    const WindowSpan span = window_at(test.window, test.now);
    CHECK(span.begin_ms == test.begin);
    CHECK(span.end_ms == test.end);
  }
}

TEST_CASE("every month from 1970 to 2500 has the length of the calendar oracle") {
  NaiveDate date;
  std::int64_t begin = 0;
  for (std::int64_t day = 0; date.year < 2500; ++day) {
    if (date.day == 1) begin = day * kDayMs;
    if (date.day == 1 || date.day == date.month_length()) {
      const WindowSpan span = window_at(Window::month, day * kDayMs + kDayMs - 1);
      REQUIRE(span.begin_ms == begin);
      REQUIRE(span.end_ms == begin + date.month_length() * kDayMs);
    }
    date.next();
  }
}

TEST_CASE("a free account has 20 calls in a minute and the next minute gives 20 more") {
  CallCounts counts;
  CHECK(admitted_of(25, counts, Plan::free, kJanuary15Noon2026) == 20);
  CHECK(admitted_of(25, counts, Plan::free, kJanuary15Noon2026 + 59'999) == 0);
  CHECK(admitted_of(25, counts, Plan::free, kJanuary15Noon2026 + 60'000) == 20);
}

TEST_CASE("a free account has 300 calls in a day") {
  CallCounts counts;
  std::uint32_t admitted = 0;
  for (int minute = 0; minute < 30; ++minute) {
    admitted += admitted_of(20, counts, Plan::free, kJanuary15Noon2026 + minute * 60'000);
  }
  CHECK(admitted == 300);
  CHECK(admitted_of(1, counts, Plan::free, kJanuary15Noon2026 + kDayMs / 2) == 1);
}

TEST_CASE("a pro account has 20,000 calls in a calendar month and no daily limit") {
  CallCounts counts;
  std::uint32_t admitted = 0;
  for (int minute = 0; minute < 400; ++minute) {
    admitted += admitted_of(60, counts, Plan::pro, kJanuary15Noon2026 + minute * 60'000);
  }
  CHECK(admitted == 20'000);
  CHECK(admitted_of(1, counts, Plan::pro, 1'769'904'000'000 - 1) == 0);
  CHECK(admitted_of(1, counts, Plan::pro, 1'769'904'000'000) == 1);
}

TEST_CASE("a counted call reports the remaining calls of each limit of its plan") {
  CallCounts counts;
  const RateState state = count_call(counts, rate_limits(Plan::free), kJanuary15Noon2026 + 1'500);
  CHECK_FALSE(state.exceeded.has_value());
  REQUIRE(state.limits[0].has_value());
  CHECK(state.limits[0]->window == Window::minute);
  CHECK(state.limits[0]->quota == 20);
  CHECK(state.limits[0]->remaining == 19);
  CHECK(state.limits[0]->resets_ms == kJanuary15Noon2026 + 60'000);
  REQUIRE(state.limits[1].has_value());
  CHECK(state.limits[1]->remaining == 299);
  CHECK(state.limits[1]->resets_ms == kJanuary15Noon2026 + kDayMs / 2);
  CHECK_FALSE(state.limits[2].has_value());
}

TEST_CASE("a rejected call counts nothing, for any limit") {
  CallCounts counts;
  admitted_of(20, counts, Plan::free, kJanuary15Noon2026);
  const RateState state = count_call(counts, rate_limits(Plan::free), kJanuary15Noon2026);
  CHECK(state.exceeded == Window::minute);
  CHECK(state.limits[0]->remaining == 0);
  CHECK(state.limits[1]->remaining == 280);
  CHECK(counts.windows[0].calls == 20);
  CHECK(counts.windows[1].calls == 20);
}

TEST_CASE("of two exceeded limits, the one that resets last is reported") {
  CallCounts counts;
  const std::int64_t now = kJanuary15Noon2026;
  counts.windows[0] = {window_at(Window::minute, now).begin_ms, 20};
  counts.windows[1] = {window_at(Window::day, now).begin_ms, 300};
  CHECK(count_call(counts, rate_limits(Plan::free), now).exceeded == Window::day);
  // In the last minute of the day both reset at the same time.
  const std::int64_t late = window_at(Window::day, now).end_ms - 1;
  counts.windows[0] = {window_at(Window::minute, late).begin_ms, 20};
  CHECK(count_call(counts, rate_limits(Plan::free), late).exceeded == Window::day);
}

TEST_CASE("after the clock was set back, the later window is kept") {
  CallCounts counts;
  CHECK(admitted_of(15, counts, Plan::free, kJanuary15Noon2026) == 15);
  CHECK(admitted_of(15, counts, Plan::free, kJanuary15Noon2026 - 60'000) == 5);
  const RateState state = count_call(counts, rate_limits(Plan::free), kJanuary15Noon2026 - 60'000);
  CHECK(state.exceeded == Window::minute);
  CHECK(state.limits[0]->resets_ms == kJanuary15Noon2026 + 60'000);
}

// LIMIT-13
TEST_CASE("a window more than an hour ahead of the clock is discarded") {
  constexpr std::int64_t kHourMs = 3'600'000;
  for (const std::int64_t ahead_ms : {kHourMs, kHourMs + 60'000, 400 * 24 * kHourMs}) {
    CAPTURE(ahead_ms);
    CallCounts counts;
    CHECK(admitted_of(20, counts, Plan::free, kJanuary15Noon2026 + ahead_ms) == 20);
    const auto admitted = admitted_of(1, counts, Plan::free, kJanuary15Noon2026);
    CHECK(admitted == (ahead_ms > kHourMs ? 1U : 0U));
    if (admitted == 0) continue;
    CHECK(counts.windows[0].began_ms == kJanuary15Noon2026);
    CHECK(counts.windows[0].calls == 1);
    CHECK(admitted_of(30, counts, Plan::free, kJanuary15Noon2026) == 19);
  }
}

TEST_CASE("a change of plan keeps the counts and applies the new numbers at once") {
  CallCounts counts;
  CHECK(admitted_of(60, counts, Plan::pro, kJanuary15Noon2026) == 60);
  const RateState lapsed = count_call(counts, rate_limits(Plan::free), kJanuary15Noon2026);
  CHECK(lapsed.exceeded == Window::minute);
  CHECK(lapsed.limits[0]->remaining == 0);
  CHECK(lapsed.limits[1]->remaining == 240);
  CHECK(admitted_of(30, counts, Plan::free, kJanuary15Noon2026 + 60'000) == 20);
  CHECK(admitted_of(60, counts, Plan::pro, kJanuary15Noon2026 + 60'000) == 40);
  CHECK(counts.windows[2].calls == 120);
}
