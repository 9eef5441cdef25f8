#include "table/usage_answers.h"

#include "reflection/describe.h"

namespace tonearm::table {
namespace {

std::string date_of_day(std::int64_t unix_ms) { return rfc3339_date(unix_ms / 1'000); }

constexpr Object kLimitLeft(
    "LimitLeft", "What is left of a limit.",
    field<&RateState::Limit::window, window_name>("limit", "minute, day or month.", R"("minute")").one_of(kWindowNames),
    field<&RateState::Limit::quota>("quota", "Calls allowed in it.", "20"),
    field<&RateState::Limit::remaining>("remaining", "Calls left in it, after this one.", "17"),
    field<&RateState::Limit::resets_ms, rfc3339>("reset_at", "When it starts again (UTC).",
                                                 R"("2026-01-15T12:01:00Z")"));

constexpr Object kDayCalls("DayCalls", "Calls of one UTC day.",
                           field<&DayCalls::day_begin_ms, date_of_day>("date", "The day.", R"("2026-01-15")"),
                           field<&DayCalls::calls>("calls", "Calls answered on it.", "120"));

constexpr Object kOwnUsage("OwnUsage", "What the account uses of what it has.",
                           field<&OwnUsageView::plan, plan_name>("plan", "Its plan.", R"("free")"),
                           field<&OwnUsageView::limits>("limits", kLimitLeft,
                                                        "The limits on calls that its plan has; this call is counted."),
                           field<&OwnUsageView::days>("days", kDayCalls,
                                                      "The last 31 days in UTC, today first, with this call."),
                           field<&OwnUsageView::keys>("keys", "Its keys in force, sessions not counted.", "1"),
                           field<&OwnUsageView::collections>("collections", "Its collections.", "1"));

}  // namespace

const Type<OwnUsageView> kOwnUsageType = type_of(kOwnUsage);

}  // namespace tonearm::table
