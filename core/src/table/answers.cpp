#include "table/answers.h"

#include <date/date.h>
#include <fmt/format.h>

#include <chrono>

namespace tonearm::table {
namespace {

using enum FieldType;
constexpr auto kNo = Nullable::no;
constexpr auto kNull = Nullable::yes;
constexpr auto kOurs = Trust::ours;
constexpr auto kUntrusted = Trust::untrusted;
constexpr auto kSometimes = Presence::sometimes;

template <class View>
const View& as(const void* owner) {
  return *static_cast<const View*>(owner);
}

template <class Range, class Write>
void write_array(json::Writer& out, const Range& range, Write write) {
  out.begin_array();
  for (const auto& item : range) write(item);
  out.end_array();
}

// ---- Errors (catalog-api, Error body)

const std::array<Field, 4> kErrorFields{{
    {.name = "error",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "A short code.",
     .example = R"("invalid_parameter")",
     .write = [](json::Writer& out,
                 const void* owner) { out.string(error_row(as<ErrorView>(owner).error.code).name); }},
    {.name = "message",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "What is wrong, in plain words.",
     .example = R"("limit must be a whole number from 1 to 50; got \"0\".")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<ErrorView>(owner).error.message); }},
    {.name = "limit",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "With status 429: the limit that was hit.",
     .example = R"("minute")",
     .values = kWindowNames,
     .write =
         [](json::Writer& out, const void* owner) {
           out.string(kWindowNames[static_cast<std::size_t>(*as<ErrorView>(owner).limit)]);
         },
     .is_null = [](const void* owner) { return !as<ErrorView>(owner).limit.has_value(); },
     .presence = kSometimes},
    {.name = "reset_at",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "With status 429: when that limit resets (UTC).",
     .example = R"("2026-01-15T12:01:00Z")",
     .write = [](json::Writer& out, const void* owner) { out.string(rfc3339(as<ErrorView>(owner).resets_ms)); },
     .is_null = [](const void* owner) { return !as<ErrorView>(owner).limit.has_value(); },
     .presence = kSometimes},
}};

// ---- Pages of tracks

const std::array<Field, 3> kSuggestionFields{{
    {.name = "message",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "What to change, in plain words.",
     .example = R"("Without tempo: 12 tracks.")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<Suggestion>(owner).message); }},
    {.name = "parameters",
     .type = map,
     .nullable = kNo,
     .trust = kOurs,
     .description = "A complete set of search parameters.",
     .example = R"({"q":"rain"})",
     .write =
         [](json::Writer& out, const void* owner) {
           out.begin_object();
           for (const auto& [name, value] : as<Suggestion>(owner).parameters) {
             out.key(name);
             out.string(value);
           }
           out.end_object();
         }},
    {.name = "total",
     .type = integer,
     .nullable = kNo,
     .trust = kOurs,
     .description = "How many tracks that search finds.",
     .example = "12",
     .write = [](json::Writer& out,
                 const void* owner) { out.integer(static_cast<std::int64_t>(as<Suggestion>(owner).total)); }},
}};
const ObjectType kSuggestionType{"Suggestion", "One concrete relaxation of a search that found nothing.",
                                 kSuggestionFields};

constexpr Field tracks_of(const ObjectType& type) {
  return {.name = "tracks",
          .type = objects,
          .nullable = kNo,
          .trust = kOurs,
          .description = "The tracks of this page, best match first.",
          .example = {},
          .object = &type,
          .write = [](json::Writer& out, const void* owner) {
            const auto& tracks = as<PageView>(owner).tracks;
            std::size_t size = 0;
            for (const std::string_view track : tracks) size += track.size() + 1;
            out.reserve(size);
            write_array(out, tracks, [&](std::string_view track) { out.raw(track); });
          }};
}

const std::array<Field, 4> kSearchPageFields{{
    tracks_of(kTrackPartType),
    {.name = "total",
     .type = integer,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Number of all matches over every page.",
     .example = "42",
     .write = [](json::Writer& out,
                 const void* owner) { out.integer(static_cast<std::int64_t>(as<PageView>(owner).total)); }},
    {.name = "cursor",
     .type = string,
     .nullable = kNull,
     .trust = kOurs,
     .description = "Send it with the same parameters for the next page; null on the last one.",
     .example = R"("20")",
     .write = [](json::Writer& out, const void* owner) { out.string(std::to_string(*as<PageView>(owner).cursor)); },
     .is_null = [](const void* owner) { return !as<PageView>(owner).cursor.has_value(); }},
    {.name = "suggestions",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Only where total is 0: up to three searches that find something.",
     .example = {},
     .object = &kSuggestionType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_array(out, *as<PageView>(owner).suggestions,
                       [&](const Suggestion& suggestion) { write_object(out, kSuggestionType, &suggestion); });
         },
     .is_null = [](const void* owner) { return as<PageView>(owner).suggestions == nullptr; },
     .presence = kSometimes},
}};

const std::array<Field, 3> kSimilarPageFields{{tracks_of(kTrackType), kSearchPageFields[1], kSearchPageFields[2]}};

// ---- What the catalog has (catalog-api, Filter-value listing)

const std::array<Field, 2> kLabelledFields{{
    {.name = "id",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Id, as filters take it.",
     .example = R"("hip-hop")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<Labelled>(owner).id); }},
    {.name = "label",
     .type = string,
     .nullable = kNo,
     .trust = kUntrusted,
     .description = "Human words.",
     .example = R"("Hip-Hop")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<Labelled>(owner).label); }},
}};
const ObjectType kLabelledType{"FilterValue", "A value that a filter takes.", kLabelledFields};

void write_labelled(json::Writer& out, const std::vector<Labelled>& values) {
  write_array(out, values, [&](const Labelled& value) { write_object(out, kLabelledType, &value); });
}

std::string capitalized(std::string_view word) {
  std::string label(word);
  label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

template <Kind OfKind, Facet OfFacet>
constexpr Field tag_values(std::string_view name, std::string_view description) {
  return {.name = name,
          .type = objects,
          .nullable = kNo,
          .trust = kOurs,
          .description = description,
          .example = {},
          .object = &kLabelledType,
          .write = [](json::Writer& out, const void* owner) {
            const auto& tags = as<MetaView>(owner).values.tags;
            write_labelled(out, tags[static_cast<std::size_t>(OfKind)][static_cast<std::size_t>(OfFacet)]);
          }};
}

template <class Enum, std::size_t Size>
std::vector<Labelled> labelled(const std::vector<Enum>& values, const std::array<std::string_view, Size>& names) {
  std::vector<Labelled> rows;
  for (const Enum value : values) {
    const std::string_view name = names[static_cast<std::size_t>(value)];
    rows.push_back({std::string(name), capitalized(name)});
  }
  return rows;
}

const std::array<Field, 6> kMusicFacetFields{{
    tag_values<Kind::music, Facet::genre>("genre", "Genres."),
    tag_values<Kind::music, Facet::mood>("mood", "Moods."),
    tag_values<Kind::music, Facet::use>("use", "Intended uses."),
    tag_values<Kind::music, Facet::instrument>("instrument", "Instruments."),
    {.name = "energy",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Energies.",
     .example = {},
     .object = &kLabelledType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_labelled(out, labelled(as<MetaView>(owner).values.energies, kEnergyNames));
         }},
    {.name = "tone",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Tones.",
     .example = {},
     .object = &kLabelledType,
     .write = [](json::Writer& out,
                 const void* owner) { write_labelled(out, labelled(as<MetaView>(owner).values.tones, kToneNames)); }},
}};
const ObjectType kMusicFacetsType{"MusicFacets", "Filter values of music.", kMusicFacetFields};

const Category& category(const void* owner) { return as<Category>(owner); }

const std::array<Field, 4> kCategoryValueFields{{
    {.name = "id",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Category id.",
     .example = R"("fx-n")",
     .write = [](json::Writer& out, const void* owner) { out.string(category(owner).id); }},
    {.name = "label",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Human words.",
     .example = R"("Natural elements and explosions")",
     .write = [](json::Writer& out, const void* owner) { out.string(category(owner).label); }},
    {.name = "top_id",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Group id.",
     .example = R"("sound-effects")",
     .write = [](json::Writer& out, const void* owner) { out.string(category(owner).top_id); }},
    {.name = "top_label",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Human words of the group.",
     .example = R"("Sound effects")",
     .write = [](json::Writer& out, const void* owner) { out.string(category(owner).top_label); }},
}};
const ObjectType kCategoryValueType{"CategoryValue", "A category of the Broad Sound Taxonomy.", kCategoryValueFields};

const std::array<Field, 2> kCategoriesFields{{
    {.name = "groups",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Groups that the catalog has sounds in.",
     .example = {},
     .object = &kLabelledType,
     .write =
         [](json::Writer& out, const void* owner) {
           std::vector<Labelled> groups;
           for (const std::uint8_t index : as<MetaView>(owner).values.categories) {
             const Category& it = kCategories[index];
             if (groups.empty() || groups.back().id != it.top_id) {
               groups.push_back({std::string(it.top_id), std::string(it.top_label)});
             }
           }
           write_labelled(out, groups);
         }},
    {.name = "values",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Categories that the catalog has sounds in.",
     .example = {},
     .object = &kCategoryValueType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_array(out, as<MetaView>(owner).values.categories,
                       [&](std::uint8_t index) { write_object(out, kCategoryValueType, &kCategories[index]); });
         }},
}};
const ObjectType kCategoriesType{"Categories", "The Broad Sound Taxonomy, as far as the catalog has it.",
                                 kCategoriesFields};

const std::array<Field, 3> kSfxFacetFields{{
    tag_values<Kind::sfx, Facet::use>("use", "Intended uses."),
    tag_values<Kind::sfx, Facet::sfx>("sfx", "Types of sound effect."),
    {.name = "categories",
     .type = object,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Categories and their groups.",
     .example = {},
     .object = &kCategoriesType},
}};
const ObjectType kSfxFacetsType{"SfxFacets", "Filter values of sound effects.", kSfxFacetFields};

const std::array<Field, 2> kFacetsFields{{
    {.name = "music",
     .type = object,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Of music.",
     .example = {},
     .object = &kMusicFacetsType},
    {.name = "sfx",
     .type = object,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Of sound effects.",
     .example = {},
     .object = &kSfxFacetsType},
}};
const ObjectType kFacetsType{"Facets", "Filter values by kind.", kFacetsFields};

const std::array<Field, 3> kLicenseTermsFields{{
    {.name = "commercial",
     .type = boolean,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Whether commercial use is allowed.",
     .example = "true",
     .write = [](json::Writer& out, const void* owner) { out.boolean(as<License>(owner).commercial); }},
    {.name = "credit",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "none or required.",
     .example = R"("required")",
     .values = kCreditNames,
     .write = [](json::Writer& out,
                 const void* owner) { out.string(kCreditNames[as<License>(owner).credit_required ? 1 : 0]); }},
    {.name = "share_alike",
     .type = boolean,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Whether adaptations must be shared alike.",
     .example = "false",
     .write = [](json::Writer& out, const void* owner) { out.boolean(as<License>(owner).share_alike); }},
}};
const ObjectType kLicenseTermsType{"LicenseTerms", "Terms of a license.", kLicenseTermsFields};

const std::array<Field, 3> kLicenseValueFields{{
    {.name = "id",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "License id.",
     .example = R"("cc-by-4.0")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<License>(owner).name_id); }},
    {.name = "name",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Its name.",
     .example = R"("CC BY 4.0")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<License>(owner).name); }},
    {.name = "terms",
     .type = object,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Its terms.",
     .example = {},
     .object = &kLicenseTermsType},
}};
const ObjectType kLicenseValueType{"LicenseValue", "A license that the catalog has tracks under.", kLicenseValueFields};

const std::array<Field, 3> kSourceFields{{
    {.name = "id",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "The source's domain.",
     .example = R"("example.org")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<SourceCount>(owner).id); }},
    {.name = "name",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Its name.",
     .example = R"("Example")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<SourceCount>(owner).name); }},
    {.name = "track_count",
     .type = integer,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Tracks from it.",
     .example = "1200",
     .write = [](json::Writer& out,
                 const void* owner) { out.integer(static_cast<std::int64_t>(as<SourceCount>(owner).track_count)); }},
}};
const ObjectType kSourceType{"Source", "A source of tracks.", kSourceFields};

const std::array<Field, 2> kCreatorFields{{
    {.name = "name",
     .type = string,
     .nullable = kNo,
     .trust = kUntrusted,
     .description = "Artist name.",
     .example = R"("Ada Example")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<CreatorCount>(owner).name); }},
    {.name = "track_count",
     .type = integer,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Tracks by it.",
     .example = "12",
     .write = [](json::Writer& out,
                 const void* owner) { out.integer(static_cast<std::int64_t>(as<CreatorCount>(owner).track_count)); }},
}};
const ObjectType kCreatorType{"Creator", "An artist with tracks in the catalog.", kCreatorFields};

const std::array<Field, 4> kMetaFields{{
    {.name = "facets",
     .type = object,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Values of the filters.",
     .example = {},
     .object = &kFacetsType},
    {.name = "licenses",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Licenses that the catalog has tracks under.",
     .example = {},
     .object = &kLicenseValueType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_array(out, as<MetaView>(owner).values.licenses,
                       [&](LicenseId id) { write_object(out, kLicenseValueType, &license(id)); });
         }},
    {.name = "sources",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Sources, the largest first.",
     .example = {},
     .object = &kSourceType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_array(out, as<MetaView>(owner).values.sources,
                       [&](const SourceCount& source) { write_object(out, kSourceType, &source); });
         }},
    {.name = "creators",
     .type = objects,
     .nullable = kNo,
     .trust = kOurs,
     .description = "Creators, those with the most tracks first; bounded by limit.",
     .example = {},
     .object = &kCreatorType,
     .write =
         [](json::Writer& out, const void* owner) {
           write_array(out, as<MetaView>(owner).creators,
                       [&](const CreatorCount& creator) { write_object(out, kCreatorType, &creator); });
         }},
}};

const std::array<Field, 1> kStateFields{{
    {.name = "status",
     .type = string,
     .nullable = kNo,
     .trust = kOurs,
     .description = "ok.",
     .example = R"("ok")",
     .write = [](json::Writer& out, const void* owner) { out.string(as<StateView>(owner).status); }},
}};

}  // namespace

const ObjectType kErrorType{"Error", "What is wrong.", kErrorFields};
const ObjectType kSearchPageType{"SearchPage", "A page of search results.", kSearchPageFields};
const ObjectType kSimilarPageType{"SimilarPage", "A page of neighbors, closest first.", kSimilarPageFields};
const ObjectType kMetaType{"Meta", "What the catalog has.", kMetaFields};
const ObjectType kStateType{"State", "State of the process.", kStateFields};

std::string to_json(const ObjectType& type, const void* owner) {
  json::Writer out;
  write_object(out, type, owner);
  return out.take();
}

std::string rfc3339(std::int64_t unix_ms) {
  const date::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(unix_ms)};
  const auto day = date::floor<date::days>(time);
  const date::year_month_day ymd{day};
  const date::hh_mm_ss<std::chrono::seconds> clock{date::floor<std::chrono::seconds>(time - day)};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(ymd.year()),
                     static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace tonearm::table
