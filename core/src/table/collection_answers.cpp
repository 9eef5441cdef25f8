#include "table/collection_answers.h"

#include <array>

#include "table/answers.h"

namespace tonearm::table {
namespace {

using enum FieldType;
using state::CollectionSummary;
using state::DeletedCollection;
constexpr auto kNo = Nullable::no;
constexpr auto kOurs = Trust::ours;
constexpr auto kUntrusted = Trust::untrusted;

template <class View>
const View& as(const void* owner) {
  return *static_cast<const View*>(owner);
}

template <class Range, class Write>
void write_array(json::Writer& out, const Range& range, const Write& write) {
  out.begin_array();
  for (const auto& item : range) write(item);
  out.end_array();
}

void write_time(json::Writer& out, std::int64_t unix_s) { out.string(rfc3339(unix_s * 1'000)); }

// ---- Collections (C6.2)

const CollectionSummary& summary_of(const CollectionSummary& summary) { return summary; }
const CollectionSummary& summary_of(const CollectionView& view) { return view.summary; }
template <class View>
const CollectionSummary& summary(const void* owner) {
  return summary_of(as<View>(owner));
}

/// What a summary and a detail have in common.
template <class View>
constexpr std::array<Field, 8> summary_fields() {
  return {{
      {
          .name = "id",
          .type = string,
          .nullable = kNo,
          .trust = kOurs,
          .description = "Collection id.",
          .example = R"("col_abcdefghijklmnopqrstuvwxyz")",
          .write = [](json::Writer& out, const void* owner) { out.string(summary<View>(owner).id); },
      },
      {
          .name = "name",
          .type = string,
          .nullable = kNo,
          .trust = kOurs,
          .description = "Its name.",
          .example = R"("Rainy evenings")",
          .write = [](json::Writer& out, const void* owner) { out.string(summary<View>(owner).name); },
      },
      {
          .name = "commercial",
          .type = boolean,
          .nullable = kNo,
          .trust = kOurs,
          .description = "Whether it is for commercial use: then no non-commercial track is added.",
          .example = R"(false)",
          .write = [](json::Writer& out, const void* owner) { out.boolean(summary<View>(owner).commercial); },
      },
      {
          .name = "revision",
          .type = integer,
          .nullable = kNo,
          .trust = kOurs,
          .description = "Grows by 1 with every change.",
          .example = R"(3)",
          .write = [](json::Writer& out, const void* owner) { out.integer(summary<View>(owner).revision); },
      },
      {
          .name = "read_only",
          .type = boolean,
          .nullable = kNo,
          .trust = kOurs,
          .description = "Whether it can only be looked at, exported and deleted, because the Pro plan ended.",
          .example = R"(false)",
          .write = [](json::Writer& out, const void* owner) { out.boolean(summary<View>(owner).read_only); },
      },
      {
          .name = "track_count",
          .type = integer,
          .nullable = kNo,
          .trust = kOurs,
          .description = "How many tracks it holds.",
          .example = R"(12)",
          .write = [](json::Writer& out,
                      const void* owner) { out.integer(static_cast<std::int64_t>(summary<View>(owner).track_count)); },
      },
      {
          .name = "created",
          .type = string,
          .nullable = kNo,
          .trust = kOurs,
          .description = "When it was made (UTC).",
          .example = R"("2026-01-15T12:00:00Z")",
          .write = [](json::Writer& out, const void* owner) { write_time(out, summary<View>(owner).created_s); },
      },
      {
          .name = "updated",
          .type = string,
          .nullable = kNo,
          .trust = kOurs,
          .description = "When it was changed last (UTC).",
          .example = R"("2026-01-15T12:00:00Z")",
          .write = [](json::Writer& out, const void* owner) { write_time(out, summary<View>(owner).updated_s); },
      },
  }};
}
constexpr std::array<Field, 8> kSummaryFields = summary_fields<CollectionSummary>();
const ObjectType kSummaryType{"CollectionSummary", "A collection without its items.", kSummaryFields};

const std::array<Field, 2> kCollectionsFields{{
    {
        .name = "collections",
        .type = objects,
        .nullable = kNo,
        .trust = kOurs,
        .description = "All collections, the one that was changed last first.",
        .example = {},
        .object = &kSummaryType,
        .write =
            [](json::Writer& out, const void* owner) {
              write_array(out, as<CollectionsView>(owner).collections,
                          [&](const CollectionSummary& it) { write_object(out, kSummaryType, &it); });
            },
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
              out.integer(static_cast<std::int64_t>(as<CollectionsView>(owner).collections.size()));
            },
    },
}};

const std::array<Field, 4> kCreditsBlockFields{{
    {
        .name = "text",
        .type = string,
        .nullable = kNo,
        .trust = kUntrusted,
        .description = "All credits as text, ready to paste.",
        .example = R"("Credit required\n...")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<CreditsBlock>(owner).text); },
    },
    {
        .name = "required",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Tracks whose license requires credit.",
        .example = R"(2)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<CreditsBlock>(owner).counts.required); },
    },
    {
        .name = "requested",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Tracks whose creator or source asks for credit.",
        .example = R"(1)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<CreditsBlock>(owner).counts.requested); },
    },
    {
        .name = "optional",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Tracks that need no credit.",
        .example = R"(0)",
        .write = [](json::Writer& out, const void* owner) { out.integer(as<CreditsBlock>(owner).counts.optional); },
    },
}};

const ObjectType kCreditsBlockType{"CreditsBlock", "Ready-to-copy credits of a collection.", kCreditsBlockFields};

const std::array<Field, 2> kAddedTrackFields{{
    {
        .name = "track",
        .type = string,
        .nullable = kNo,
        .trust = kOurs,
        .description = "The id that was asked for.",
        .example = R"("example-1042")",
        .write = [](json::Writer& out, const void* owner) { out.string(as<AddedTrack>(owner).track_id); },
    },
    {
        .name = "already_present",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Whether the collection had it already, or this request named it before.",
        .example = R"(false)",
        .write = [](json::Writer& out, const void* owner) { out.boolean(as<AddedTrack>(owner).already_present); },
    },
}};

const ObjectType kAddedTrackType{"AddedTrack", "What became of a track to add.", kAddedTrackFields};

constexpr Field kItems{
    .name = "items",
    .type = objects,
    .nullable = kNo,
    .trust = kOurs,
    .description = "All its items, in order.",
    .example = {},
    .object = &kItemType,
    .write =
        [](json::Writer& out, const void* owner) {
          write_array(out, as<CollectionView>(owner).items,
                      [&](const ItemView& it) { write_object(out, kItemType, &it); });
        },
};

constexpr Field kCredits{
    .name = "credits",
    .type = object,
    .nullable = kNo,
    .trust = kOurs,
    .description = "Ready-to-copy credits.",
    .example = {},
    .object = &kCreditsBlockType,
    .write = [](json::Writer& out,
                const void* owner) { write_object(out, kCreditsBlockType, as<CollectionView>(owner).credits); },
};

constexpr Field kResults{
    .name = "results",
    .type = objects,
    .nullable = kNo,
    .trust = kOurs,
    .description = "Where several tracks were asked for: what became of each.",
    .example = {},
    .object = &kAddedTrackType,
    .write =
        [](json::Writer& out, const void* owner) {
          write_array(out, *as<CollectionView>(owner).results,
                      [&](const AddedTrack& it) { write_object(out, kAddedTrackType, &it); });
        },
    .is_null = [](const void* owner) { return as<CollectionView>(owner).results == nullptr; },
    .presence = Presence::sometimes,
};

/// The summary's fields, and behind them the others.
template <class... More>
constexpr std::array<Field, 8 + sizeof...(More)> detail_fields(const More&... more) {
  const auto [a, b, c, d, e, f, g, h] = summary_fields<CollectionView>();
  return {{a, b, c, d, e, f, g, h, more...}};
}
constexpr auto kDetailFields = detail_fields(kItems);
constexpr auto kDetailWithCreditsFields = detail_fields(kItems, kCredits);
constexpr auto kDetailWithResultsFields = detail_fields(kItems, kResults);

const std::array<Field, 3> kDeletedFields{{
    {
        .name = "deleted",
        .type = boolean,
        .nullable = kNo,
        .trust = kOurs,
        .description = "True.",
        .example = R"(true)",
        .write = [](json::Writer& out, const void* /*owner*/) { out.boolean(true); },
    },
    {
        .name = "items_deleted",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "Items that went with it.",
        .example = R"(12)",
        .write = [](json::Writer& out,
                    const void* owner) { out.integer(static_cast<std::int64_t>(as<DeletedCollection>(owner).items)); },
    },
    {
        .name = "license_records_deleted",
        .type = integer,
        .nullable = kNo,
        .trust = kOurs,
        .description = "License records that went with them.",
        .example = R"(12)",
        .write =
            [](json::Writer& out, const void* owner) {
              out.integer(static_cast<std::int64_t>(as<DeletedCollection>(owner).license_records));
            },
    },
}};

}  // namespace

const ObjectType kCollectionsType{"Collections", "The collections of an account.", kCollectionsFields};
const ObjectType kCollectionType{"Collection", "A collection with its items.", kDetailFields};
const ObjectType kCollectionWithCreditsType{"CollectionWithCredits", "A collection with its items and credits.",
                                            kDetailWithCreditsFields};
const ObjectType kCollectionWithResultsType{"CollectionWithResults", "A collection after tracks were added.",
                                            kDetailWithResultsFields};
const ObjectType kCollectionDeletedType{"CollectionDeleted", "What was deleted.", kDeletedFields};

}  // namespace tonearm::table
