#include "table/collection_answers.h"

#include "table/collection_fields.h"

namespace tonearm::table {
namespace {

using state::CollectionSummary;
using state::DeletedCollection;

// ---- Collections (COLLECTION-2)

/// The fields that a summary and a detail have in common. `ToSummary`: the steps to the summary.
template <auto... ToSummary>
constexpr auto summary_fields() {
  return fields(
      identity_fields<ToSummary...>(),
      field<ToSummary..., &CollectionSummary::read_only>(
          "read_only", "Whether it can only be looked at, exported and deleted, because the Pro plan ended.", "false"),
      field<ToSummary..., &CollectionSummary::track_count>("track_count", "How many tracks it holds.", "12"),
      field<ToSummary..., &CollectionSummary::created_s, rfc3339_of_s>("created", "When it was made (UTC).",
                                                                       R"("2026-01-15T12:00:00Z")"),
      field<ToSummary..., &CollectionSummary::updated_s, rfc3339_of_s>("updated", "When it was changed last (UTC).",
                                                                       R"("2026-01-15T12:00:00Z")"),
      field<ToSummary..., &CollectionSummary::license_changed>(
          "license_changed",
          "How many items have a license that differs from their record by now; null: not compared with this version "
          "of the catalog yet.",
          "0"),
      field<ToSummary..., &CollectionSummary::missing>(
          "missing", "How many items the catalog has no longer; null as in license_changed.", "0"));
}

constexpr Object kSummary("CollectionSummary", "A collection without its items.", summary_fields<>());

const std::vector<CollectionSummary>& collections(const CollectionsView& view) { return view.collections; }

constexpr Object kCollections("Collections", "The collections of an account.",
                              field<collections>("collections", kSummary,
                                                 "All collections, the one that was changed last first."),
                              field<collections, &std::vector<CollectionSummary>::size>("total", "How many.", "1"));

constexpr Object kCreditsBlock(
    "CreditsBlock", "Ready-to-copy credits of a collection.",
    field<&CreditsBlock::text>("text", "All credits as text, ready to paste.", R"("Credit required\n...")").untrusted(),
    field<&CreditsBlock::counts, &CreditCounts::required>("required", "Tracks whose license requires credit.", "2"),
    field<&CreditsBlock::counts, &CreditCounts::requested>("requested",
                                                           "Tracks whose creator or source asks for credit.", "1"),
    field<&CreditsBlock::counts, &CreditCounts::optional>("optional", "Tracks that need no credit.", "0"));

constexpr Object kAddedTrack("AddedTrack", "What became of a track to add.",
                             field<&AddedTrack::track_id>("track", "The id that was asked for.", R"("example-1042")"),
                             field<&AddedTrack::already_present>(
                                 "already_present",
                                 "Whether the collection had it already, or this request named it before.", "false"));

/// REQUIRES: a view with credits.
const CreditsBlock& credits(const CollectionView& view) { return *view.credits; }

constexpr auto kDetailFields = fields(summary_fields<&CollectionView::summary>(),
                                      field<&CollectionView::items>("items", kItemType, "All its items, in order."));

constexpr Object kDetail("Collection", "A collection with its items.", kDetailFields);
constexpr Object kDetailWithCredits("CollectionWithCredits", "A collection with its items and credits.", kDetailFields,
                                    field<credits>("credits", kCreditsBlock, "Ready-to-copy credits."));
constexpr auto kResults =
    field<&CollectionView::results>("results", kAddedTrack, "Where several tracks were asked for: what became of each.")
        .omitted_if_absent();
constexpr Object kSummaryWithResults("CollectionSummaryWithResults", "A collection after tracks were added, in short.",
                                     summary_fields<&CollectionView::summary>(), kResults);
constexpr Object kDetailWithResults("CollectionWithResults", "A collection after tracks were added.", kDetailFields,
                                    kResults);

constexpr Object kCollectionDeleted("CollectionDeleted", "What was deleted.",
                                    field(
                                        "deleted", [](const DeletedCollection& /*it*/) { return true; }, "True.",
                                        "true"),
                                    field<&DeletedCollection::items>("items_deleted", "Items that went with it.", "12"),
                                    field<&DeletedCollection::license_records>("license_records_deleted",
                                                                               "License records that went with them.",
                                                                               "12"));

}  // namespace

const Type<CollectionsView> kCollectionsType = type_of(kCollections);
const Type<CollectionSummary> kCollectionSummaryType = type_of(kSummary);
const Type<CollectionView> kSummaryWithResultsType = type_of(kSummaryWithResults);
const Type<CollectionView> kCollectionType = type_of(kDetail);
const Type<CollectionView> kCollectionWithCreditsType = type_of(kDetailWithCredits);
const Type<CollectionView> kCollectionWithResultsType = type_of(kDetailWithResults);
const Type<DeletedCollection> kCollectionDeletedType = type_of(kCollectionDeleted);

}  // namespace tonearm::table
