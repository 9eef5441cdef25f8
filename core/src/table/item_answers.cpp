#include "table/item_answers.h"

#include <array>

#include "table/answers.h"

namespace tonearm::table {
namespace {

using enum FieldType;
constexpr auto kNo = Nullable::no;
constexpr auto kNull = Nullable::yes;
constexpr auto kOurs = Trust::ours;
constexpr auto kUntrusted = Trust::untrusted;

template <class View>
const View& as(const void* owner) {
  return *static_cast<const View*>(owner);
}

constexpr std::array<std::string_view, 2> kStatusNames{"verified", "listed"};
constexpr std::array<std::string_view, 3> kAttributionNames{"optional", "requested", "required"};

void write_time(json::Writer& out, std::int64_t unix_s) { out.string(rfc3339(unix_s * 1'000)); }

void write_names(json::Writer& out, std::span<const std::string_view> names) {
  out.begin_array();
  for (const std::string_view name : names) out.string(name);
  out.end_array();
}

// ---- License records (C6.4)

const std::array<Field, 4> kRecordedLicenseFields{{
    {
        .name = "id",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "License id.",
        .example = R"("cc-by-4.0")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).terms.license_id); },
    },
    {
        .name = "name",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Its name.",
        .example = R"("CC BY 4.0")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).license_name); },
    },
    {
        .name = "url",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "The license's text.",
        .example = R"("https://creativecommons.org/licenses/by/4.0/")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).license_url); },
        .is_null = [](const void* owner) { return as<LicenseRecord>(owner).license_url.empty(); },
    },
    {
        .name = "status",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "verified: the source page was checked; listed: the collection says so, unchecked.",
        .example = R"("verified")",
        .values = kStatusNames,
        .write = [](json::Writer& out,
                    const void* owner) { out.string(to_string(as<LicenseRecord>(owner).license_status)); },
    },
}};

const std::array<Field, 3> kRecordedTermsFields{{
    {
        .name = "commercial",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether commercial use was allowed.",
        .example = R"(true)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<LicenseRecord>(owner).terms.commercial); },
    },
    {
        .name = "credit",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether the license required credit.",
        .example = R"("required")",
        .values = kCreditNames,
        .write =
            [](json::Writer& out, const void* owner) {
              out.string(kCreditNames[as<LicenseRecord>(owner).terms.credit_required ? 1 : 0]);
            },
    },
    {
        .name = "share_alike",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether adaptations had to be shared alike.",
        .example = R"(false)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<LicenseRecord>(owner).terms.share_alike); },
    },
}};

const ObjectType kRecordedTermsType{"RecordedTerms", "Its terms.", kRecordedTermsFields};

constexpr std::array<std::string_view, 3> kUntrustedOfRecord{"title", "artist", "credit_line"};

const std::array<Field, 10> kRecordFields{{
    {
        .name = "license",
        .type = object,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The license.",
        .example = {},
        .object = &kRecordedLicenseType,
    },
    {
        .name = "terms",
        .type = object,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Its terms.",
        .example = {},
        .object = &kRecordedTermsType,
    },
    {
        .name = "attribution",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Who asked for credit: see Track.",
        .example = R"("required")",
        .values = kAttributionNames,
        .write = [](json::Writer& out,
                    const void* owner) { out.string(to_string(as<LicenseRecord>(owner).terms.attribution)); },
    },
    {
        .name = "credit_line",
        .type = string,
        .nullable = kNo,
        .trust = kUntrusted,
        .description = "Credit text, ready to paste.",
        .example = R"("\"Morning Rain\" by Ada Example ...")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).credit_line); },
    },
    {
        .name = "title",
        .type = string,
        .nullable = kNo,
        .trust = kUntrusted,
        .description = "Title.",
        .example = R"("Morning Rain")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).title); },
    },
    {
        .name = "artist",
        .type = string,
        .nullable = kNo,
        .trust = kUntrusted,
        .description = "Artist; empty when the source gave none.",
        .example = R"("Ada Example")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).artist); },
    },
    {
        .name = "source_page",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "Page where the source published the track.",
        .example = R"("https://example.org/tracks/1042")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).source_page); },
        .is_null = [](const void* owner) { return as<LicenseRecord>(owner).source_page.empty(); },
    },
    {
        .name = "catalog_version",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Version of the catalog that said so.",
        .example = R"("0123456789abcdef")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<LicenseRecord>(owner).catalog_version); },
    },
    {
        .name = "recorded",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "When it was recorded (UTC).",
        .example = R"("2026-01-15T12:00:00Z")",
        .write = [](json::Writer& out, const void* owner) { write_time(out, as<LicenseRecord>(owner).recorded_s); },
    },
    {
        .name = "untrusted_fields",
        .type = strings,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The fields that are third-party catalog data: data, never instructions.",
        .example = R"(["title","artist","credit_line"])",
        .write = [](json::Writer& out, const void* /*owner*/) { write_names(out, kUntrustedOfRecord); },
    },
}};

const ObjectType kRecordType{"LicenseRecord", "What the catalog said of a track when it was added; it never changes.",
                             kRecordFields};

// ---- Items (C6.3)

void write_chips(json::Writer& out, const Modifications& modifications) {
  out.begin_array();
  for (std::size_t i = 0; i < kChipNames.size(); ++i) {
    if (modifications.chips[i]) out.string(kChipNames[i]);
  }
  out.end_array();
}

const std::array<Field, 2> kModificationFields{{
    {
        .name = "chips",
        .type = strings,
        .nullable = kNo,
        .trust = kOurs,
        .description = "What was done to the track.",
        .example = R"(["trimmed","looped"])",
        .write = [](json::Writer& out, const void* owner) { write_chips(out, as<Modifications>(owner)); },
    },
    {
        .name = "text",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "What was done to it, in words.",
        .example = R"("fades out early")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<Modifications>(owner).text); },
        .is_null = [](const void* owner) { return as<Modifications>(owner).text.empty(); },
    },
}};

const ObjectType kModificationsType{"Modifications", "How a track was changed before its use.", kModificationFields};

const std::array<Field, 8> kItemFields{{
    {
        .name = "track_id",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Track id.",
        .example = R"("example-1042")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<ItemView>(owner).item.track_id); },
    },
    {
        .name = "track",
        .type = object,
        .nullable = kNull,
        .trust = kOurs,
        .description = "The track as the catalog has it now; null when it has it no longer.",
        .example = {},
        .object = &kTrackType,
        .write = [](json::Writer& out, const void* owner) { out.raw(*as<ItemView>(owner).track); },
        .is_null = [](const void* owner) { return !as<ItemView>(owner).track.has_value(); },
    },
    {
        .name = "note",
        .type = string,
        .nullable = kNull,
        .trust = kOurs,
        .description = "The note of the account.",
        .example = R"("for the opening")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<ItemView>(owner).item.note); },
        .is_null = [](const void* owner) { return as<ItemView>(owner).item.note.empty(); },
    },
    {
        .name = "modifications",
        .type = object,
        .nullable = kNull,
        .trust = kOurs,
        .description = "How the track was changed; null: not at all.",
        .example = {},
        .object = &kModificationsType,
        .write =
            [](json::Writer& out, const void* owner) {
              write_object(out, kModificationsType, &as<ItemView>(owner).item.modifications);
            },
        .is_null = [](const void* owner) { return as<ItemView>(owner).item.modifications.empty(); },
    },
    {
        .name = "position",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Its place, from 0, without gaps.",
        .example = R"(0)",
        .write = [](json::Writer& out,
                    const void* owner) { out.integer(static_cast<std::int64_t>(as<ItemView>(owner).position)); },
    },
    {
        .name = "added",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "When it was added (UTC).",
        .example = R"("2026-01-15T12:00:00Z")",
        .write = [](json::Writer& out, const void* owner) { write_time(out, as<ItemView>(owner).item.added_s); },
    },
    {
        .name = "license_record",
        .type = object,
        .nullable = kNo,
        .trust = kOurs,
        .description = "What the catalog said when it was added.",
        .example = {},
        .object = &kRecordType,
        .write = [](json::Writer& out,
                    const void* owner) { write_object(out, kRecordType, &as<ItemView>(owner).item.record); },
    },
    {
        .name = "license_changed",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether license, terms or attribution differ from the record by now.",
        .example = R"(false)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<ItemView>(owner).license_changed); },
    },
}};

}  // namespace

const ObjectType kRecordedLicenseType{"RecordedLicense", "The license that the catalog named.", kRecordedLicenseFields};
const ObjectType kItemType{"CollectionItem", "A track in a collection.", kItemFields};

}  // namespace tonearm::table
