#include "table/admin_answers.h"

#include <array>

#include "reflection/describe.h"

namespace tonearm::table {
namespace {

using state::AccountInfo;
using state::AccountLimits;
using state::AccountMove;
using state::CallRecord;
using state::DayUsage;
using state::KeyInfo;
using state::NewKey;
using state::TakeDown;

std::string date_of_ms(std::int64_t unix_ms) { return rfc3339_date(unix_ms / 1'000); }

// The views have references to lists, and there are no pointers to reference members.
const std::vector<AccountInfo>& accounts(const AccountsView& view) { return view.accounts; }
const std::vector<KeyInfo>& keys(const KeysView& view) { return view.keys; }
const std::vector<CallRecord>& calls(const CallsView& view) { return view.calls; }
const std::vector<DayUsage>& days(const UsageView& view) { return view.days; }
const std::string& limited_account(const LimitsView& view) { return view.limits.account; }
std::string_view limited_plan(const LimitsView& view) { return plan_name(view.limits.plan); }
const std::array<AccountLimits::Counted, 3>& windows(const LimitsView& view) { return view.limits.windows; }
const std::vector<TakeDownView>& take_downs(const TakeDownsView& view) { return view.take_downs; }
bool done(const DoneView& /*view*/) { return true; }

constexpr Object kAccount("Account", "An account.",  //
                          field<&AccountInfo::account>("account", "Account id.", R"("acc_0123456789abc")"),
                          field<&AccountInfo::plan, plan_name>("plan", "Its plan.", R"("free")"),
                          field<&AccountInfo::created_ms, rfc3339>("created", "When it was made (UTC).",
                                                                   R"("2026-01-15T12:00:00Z")"),
                          field<&AccountInfo::active_keys>("active_keys", "Keys in force, sessions not counted.", "1"));

constexpr Object kAccounts("Accounts", "A page of the accounts.",
                           field<accounts>("accounts", kAccount, "The accounts, the oldest first."),
                           field<&AccountsView::total>("total", "How many there are on all pages.", "1"),
                           field<&AccountsView::cursor>("cursor", "Send it for the next page; null on the last one.",
                                                        R"("1768478400000-acc_0123456789abc")"));

constexpr Object kNewKey("NewKey", "A new key; it is shown this once.",
                         field<&NewKey::key_id>("key_id", "Key id.", R"("key_0123456789abcdefghijk")"),
                         field<&NewKey::key>("key", "The key itself.", R"("tonearm_...")"),
                         field<&NewKey::expires_ms, rfc3339>("expires", "When a session ends (UTC); null for a key.",
                                                             "null"));

constexpr Object kKey("Key", "A key, without what it opens.",
                      field<&KeyInfo::key_id>("key_id", "Key id.", R"("key_0123456789abcdefghijk")"),
                      field<&KeyInfo::session>("session", "Whether it is a session key.", "false"),
                      field<&KeyInfo::created_ms, rfc3339>("created", "When it was made (UTC).",
                                                           R"("2026-01-15T12:00:00Z")"),
                      field<&KeyInfo::expires_ms, rfc3339>("expires", "When it ends; null: never.", "null"),
                      field<&KeyInfo::revoked_ms, rfc3339>("revoked", "When it was revoked; null: it was not.",
                                                           "null"));

constexpr Object kKeys("Keys", "Keys and sessions of an account.", field<keys>("keys", kKey, "The keys."));

constexpr Object kCall(
    "Call", "A call that was answered, or several that share a record.",
    field<&CallRecord::at_ms, rfc3339>("at", "When (UTC); of several calls, when their period began.",
                                       R"("2026-01-15T12:00:00Z")"),
    field<&CallRecord::key_id>("key_id", "The key used.", R"("key_0123456789abcdefghijk")"),
    field<&CallRecord::method>("method", "HTTP method.", R"("GET")"),
    field<&CallRecord::route>("route", "The route as a template.", R"("/v1/tracks/{id}")"),
    field<&CallRecord::status>("status", "HTTP status.", "200"),
    field<&CallRecord::duration_ms>("duration_ms", "Duration in milliseconds.", "2"),
    field<&CallRecord::result_count>("result_count", "What the page held; null where there is no page.", "20"),
    field<&CallRecord::search_text>("search_text", "The text searched for; null where there is none, or after 90 days.",
                                    R"("rain")"),
    field<&CallRecord::first_party>("first_party", "Whether a session key was used.", "false"),
    field<&CallRecord::count>("count", "How many calls share the record.", "1"),
    field<&CallRecord::period_s>("period_s",
                                 "Seconds of the period whose calls share it: 60, or 86400; null for one call's own.",
                                 "null"));

constexpr Object kCalls("Calls", "Calls, the latest first.", field<calls>("calls", kCall, "The calls."));

constexpr Object kDay("DayUsage", "Calls of one UTC day.",
                      field<&DayUsage::day_begin_ms, date_of_ms>("day", "Its date.", R"("2026-01-15")"),
                      field<&DayUsage::calls>("calls", "Calls answered.", "120"),
                      field<&DayUsage::succeeded>("succeeded", "Those with a status below 400.", "118"),
                      field<&DayUsage::first_party>("first_party", "Those with a session key, which no limit counts.",
                                                    "20"));

constexpr Object kUsage("Usage", "Daily totals.", field<days>("days", kDay, "The days."));

constexpr Object kCountedWindow(
    "CountedWindow", "What was counted in a window.",
    field<&AccountLimits::Counted::window, window_name>("limit", "minute, day or month.", R"("minute")"),
    field<&AccountLimits::Counted::quota>("quota", "Calls allowed in it; null: no limit.", "20"),
    field<&AccountLimits::Counted::calls>("calls", "Calls counted in it.", "3"),
    field<&AccountLimits::Counted::began_ms, rfc3339>("began", "When it began (UTC).", R"("2026-01-15T12:00:00Z")"),
    field<&AccountLimits::Counted::resets_ms, rfc3339>("reset_at", "When it ends.", R"("2026-01-15T12:01:00Z")"));

constexpr Object kLimits("Limits", "What was counted of an account's calls.",
                         field<limited_account>("account", "Account id.", R"("acc_0123456789abc")"),
                         field<limited_plan>("plan", "Its plan.", R"("free")"),
                         field<windows>("limits", kCountedWindow, "Its windows: minute, day, month."));

constexpr Object kAccountMove("AccountMove", "A step of moving an account to another database.",
                              field<&AccountMove::account>("account", "Account id.", R"("acc_0123456789abc")"),
                              field<&AccountMove::database>("database", "The number of the other database.", "2"),
                              field<&AccountMove::is_done>("done", "False: send the request again in a second.",
                                                           "true"));

constexpr Object kTakeDown(
    "TakeDown", "A track that was taken down after the catalog was built.",
    field<&TakeDownView::take_down, &TakeDown::track_id>("track_id", "Track id.", R"("example-1042")"),
    field<&TakeDownView::take_down, &TakeDown::reason>("reason", "Why, for the operator alone.",
                                                       R"("Claim of 2026-01-14")"),
    field<&TakeDownView::take_down, &TakeDown::added>("added", "When (UTC).", R"("2026-01-15T12:00:00Z")"),
    field<&TakeDownView::in_catalog>("in_catalog", "Whether the served catalog has the track; null: not known here.",
                                     "true"));

constexpr Object kTakeDowns("TakeDowns", "A page of the take-downs.",
                            field<take_downs>("takedowns", kTakeDown, "The take-downs, by track id."),
                            field<&TakeDownsView::total>("total", "How many there are on all pages.", "1"),
                            field<&TakeDownsView::cursor>("cursor", "Send it for the next page; null on the last one.",
                                                          R"("example-1042")"));

constexpr Object kDeleted("Deleted", "The account is gone.", field<done>("deleted", "Always true.", "true"));
constexpr Object kRevoked("Revoked", "The key is refused from now on.", field<done>("revoked", "Always true.", "true"));
constexpr Object kRemoved("Removed", "The track is offered again.", field<done>("removed", "Always true.", "true"));

}  // namespace

const Type<AccountInfo> kAccountType = type_of(kAccount);
const Type<AccountsView> kAccountsType = type_of(kAccounts);
const Type<NewKey> kNewKeyType = type_of(kNewKey);
const Type<KeysView> kKeysType = type_of(kKeys);
const Type<CallsView> kCallsType = type_of(kCalls);
const Type<UsageView> kUsageType = type_of(kUsage);
const Type<LimitsView> kLimitsType = type_of(kLimits);
const Type<AccountMove> kAccountMoveType = type_of(kAccountMove);
const Type<TakeDownView> kTakeDownType = type_of(kTakeDown);
const Type<TakeDownsView> kTakeDownsType = type_of(kTakeDowns);
const Type<DoneView> kDeletedType = type_of(kDeleted);
const Type<DoneView> kRevokedType = type_of(kRevoked);
const Type<DoneView> kRemovedType = type_of(kRemoved);

}  // namespace tonearm::table
