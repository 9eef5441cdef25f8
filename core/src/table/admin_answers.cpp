#include "table/admin_answers.h"

#include "table/answers.h"

namespace tonearm::table {
namespace {

using enum FieldType;
constexpr auto kNo = Nullable::no;
constexpr auto kNull = Nullable::yes;
constexpr auto kOurs = Trust::ours;

template <class View>
const View& as(const void* owner) {
  return *static_cast<const View*>(owner);
}

template <class Item>
void write_objects(json::Writer& out, const std::vector<Item>& items, const ObjectType& type) {
  out.begin_array();
  for (const Item& item : items) write_object(out, type, &item);
  out.end_array();
}

void write_time(json::Writer& out, const std::optional<std::int64_t>& unix_ms) { out.string(rfc3339(*unix_ms)); }

using state::AccountInfo;
using state::CallRecord;
using state::DayUsage;
using state::KeyInfo;
using state::NewKey;

const std::array<Field, 4> kAccountFields{{
    {
        .name = "account",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Account id.",
        .example = R"("acc_0123456789abc")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<AccountInfo>(owner).account); },
    },
    {
        .name = "plan",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Its plan.",
        .example = R"("free")",
        .write =
            [](json::Writer& out, const void* owner) {
              out.string(kPlanNames[static_cast<std::size_t>(as<AccountInfo>(owner).plan)]);
            },
    },
    {
        .name = "created",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "When it was made (UTC).",
        .example = R"("2026-01-15T12:00:00Z")",
        .write = [](json::Writer& out, const void* owner) { out.string(rfc3339(as<AccountInfo>(owner).created_ms)); },
    },
    {
        .name = "active_keys",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Keys in force, sessions not counted.",
        .example = R"(1)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<AccountInfo>(owner).active_keys); },
    },
}};

const std::array<Field, 2> kAccountsFields{{
    {
        .name = "accounts",
        .type = objects,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The accounts.",
        .example = {},
        .object = &kAccountType,
        .write = [](json::Writer& out,
                    const void* owner) { write_objects(out, as<AccountsView>(owner).accounts, kAccountType); },
    },
    {
        .name = "total",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "How many.",
        .example = R"(1)",
        .write =
            [](json::Writer& out, const void* owner) {
              out.integer(static_cast<std::int64_t>(as<AccountsView>(owner).accounts.size()));
            },
    },
}};

const std::array<Field, 3> kNewKeyFields{{
    {
        .name = "key_id",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Key id.",
        .example = R"("key_0123456789abcdefghijk")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<NewKey>(owner).key_id); },
    },
    {
        .name = "key",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The key itself.",
        .example = R"("tonearm_...")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<NewKey>(owner).key); },
    },
    {
        .name = "expires",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "When a session ends (UTC); null for a key.",
        .example = R"(null)",
        .write = [](json::Writer& out, const void* owner) { write_time(out, as<NewKey>(owner).expires_ms); },
        .is_null = [](const void* owner) { return !as<NewKey>(owner).expires_ms; },
    },
}};

const std::array<Field, 5> kKeyFields{{
    {
        .name = "key_id",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Key id.",
        .example = R"("key_0123456789abcdefghijk")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<KeyInfo>(owner).key_id); },
    },
    {
        .name = "session",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether it is a session key (C3.5).",
        .example = R"(false)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<KeyInfo>(owner).session); },
    },
    {
        .name = "created",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "When it was made (UTC).",
        .example = R"("2026-01-15T12:00:00Z")",
        .write = [](json::Writer& out, const void* owner) { out.string(rfc3339(as<KeyInfo>(owner).created_ms)); },
    },
    {
        .name = "expires",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "When it ends; null: never.",
        .example = R"(null)",
        .write = [](json::Writer& out, const void* owner) { write_time(out, as<KeyInfo>(owner).expires_ms); },
        .is_null = [](const void* owner) { return !as<KeyInfo>(owner).expires_ms; },
    },
    {
        .name = "revoked",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "When it was revoked; null: it was not.",
        .example = R"(null)",
        .write = [](json::Writer& out, const void* owner) { write_time(out, as<KeyInfo>(owner).revoked_ms); },
        .is_null = [](const void* owner) { return !as<KeyInfo>(owner).revoked_ms; },
    },
}};
const ObjectType kKeyType{"Key", "A key, without what it opens.", kKeyFields};

const std::array<Field, 1> kKeysFields{{
    {
        .name = "keys",
        .type = objects,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The keys.",
        .example = {},
        .object = &kKeyType,
        .write = [](json::Writer& out, const void* owner) { write_objects(out, as<KeysView>(owner).keys, kKeyType); },
    },
}};

const std::array<Field, 9> kCallFields{{
    {
        .name = "at",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "When (UTC).",
        .example = R"("2026-01-15T12:00:00Z")",
        .write = [](json::Writer& out, const void* owner) { out.string(rfc3339(as<CallRecord>(owner).at_ms)); },
    },
    {
        .name = "key_id",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The key used.",
        .example = R"("key_0123456789abcdefghijk")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<CallRecord>(owner).key_id); },
    },
    {
        .name = "method",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "HTTP method.",
        .example = R"("GET")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<CallRecord>(owner).method); },
    },
    {
        .name = "route",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The route as a template.",
        .example = R"("/v1/tracks/{id}")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<CallRecord>(owner).route); },
    },
    {
        .name = "status",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "HTTP status.",
        .example = R"(200)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<CallRecord>(owner).status); },
    },
    {
        .name = "duration_ms",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Duration in milliseconds.",
        .example = R"(2)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<CallRecord>(owner).duration_ms); },
    },
    {
        .name = "result_count",
        .type = integer,
        .nullable = kNull,
        .trust = kOurs,
        .description = "What the page held; null where there is no page.",
        .example = R"(20)",
        .write = [](json::Writer& out, const void* owner) { out.integer(*as<CallRecord>(owner).result_count); },
        .is_null = [](const void* owner) { return !as<CallRecord>(owner).result_count; },
    },
    {
        .name = "search_text",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "The text searched for; null where there is none, or after 90 days.",
        .example = R"("rain")",
        .write = [](json::Writer& out, const void* owner) { out.string(*as<CallRecord>(owner).search_text); },
        .is_null = [](const void* owner) { return !as<CallRecord>(owner).search_text; },
    },
    {
        .name = "first_party",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether a session key was used.",
        .example = R"(false)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<CallRecord>(owner).first_party); },
    },
}};
const ObjectType kCallType{"Call", "A call that was answered (C8).", kCallFields};

const std::array<Field, 1> kCallsFields{{
    {
        .name = "calls",
        .type = objects,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The calls.",
        .example = {},
        .object = &kCallType,
        .write = [](json::Writer& out,
                    const void* owner) { write_objects(out, as<CallsView>(owner).calls, kCallType); },
    },
}};

const std::array<Field, 4> kDayFields{{
    {
        .name = "day",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Its date.",
        .example = R"("2026-01-15")",
        .write = [](json::Writer& out,
                    const void* owner) { out.string(rfc3339(as<DayUsage>(owner).day_begin_ms).substr(0, 10)); },
    },
    {
        .name = "calls",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Calls answered.",
        .example = R"(120)",
        .write = [](json::Writer& out,
                    const void* owner) { out.integer(static_cast<std::int64_t>(as<DayUsage>(owner).calls)); },
    },
    {
        .name = "succeeded",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Those with a status below 400.",
        .example = R"(118)",
        .write = [](json::Writer& out,
                    const void* owner) { out.integer(static_cast<std::int64_t>(as<DayUsage>(owner).succeeded)); },
    },
    {
        .name = "first_party",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Those with a session key, which no limit counts (C3.5).",
        .example = R"(20)",
        .write = [](json::Writer& out,
                    const void* owner) { out.integer(static_cast<std::int64_t>(as<DayUsage>(owner).first_party)); },
    },
}};
const ObjectType kDayType{"DayUsage", "Calls of one UTC day.", kDayFields};

const std::array<Field, 1> kUsageFields{{
    {
        .name = "days",
        .type = objects,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The days.",
        .example = {},
        .object = &kDayType,
        .write = [](json::Writer& out, const void* owner) { write_objects(out, as<UsageView>(owner).days, kDayType); },
    },
}};

const std::array<Field, 1> kDeletedFields{{
    {
        .name = "deleted",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Always true.",
        .example = R"(true)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(owner != nullptr); },
    },
}};

const std::array<Field, 1> kRevokedFields{{
    {
        .name = "revoked",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Always true.",
        .example = R"(true)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(owner != nullptr); },
    },
}};

}  // namespace

const ObjectType kAccountType{"Account", "An account.", kAccountFields};
const ObjectType kAccountsType{"Accounts", "All accounts.", kAccountsFields};
const ObjectType kNewKeyType{"NewKey", "A new key; it is shown this once.", kNewKeyFields};
const ObjectType kKeysType{"Keys", "Keys and sessions of an account.", kKeysFields};
const ObjectType kCallsType{"Calls", "Calls, the latest first.", kCallsFields};
const ObjectType kUsageType{"Usage", "Daily totals.", kUsageFields};
const ObjectType kDeletedType{"Deleted", "The account is gone.", kDeletedFields};
const ObjectType kRevokedType{"Revoked", "The key is refused from now on.", kRevokedFields};

}  // namespace tonearm::table
