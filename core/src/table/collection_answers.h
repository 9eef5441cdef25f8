#pragma once
// The types of answers about collections (COLLECTION-2), and the structs with their values.

#include <string>
#include <vector>

#include "domain/collection.h"
#include "domain/credits.h"
#include "reflection/object_type.h"
#include "state/collections/collections.h"
#include "table/item_answers.h"

namespace tonearm::table {

struct CollectionsView {
  const std::vector<state::CollectionSummary>& collections;
};

/// The credits within a collection.
struct CreditsBlock {
  std::string text;
  CreditCounts counts;
};

struct CollectionView {
  state::CollectionSummary summary;
  std::vector<ItemView> items;
  const CreditsBlock* credits = nullptr;             // null: omitted
  const std::vector<AddedTrack>* results = nullptr;  // null: omitted
};

extern const Type<CollectionsView> kCollectionsType;
extern const Type<state::CollectionSummary> kCollectionSummaryType;
/// Without items, with the result for each track that the request adds.
extern const Type<CollectionView> kSummaryWithResultsType;
extern const Type<CollectionView> kCollectionType;
extern const Type<CollectionView> kCollectionWithCreditsType;
extern const Type<CollectionView> kCollectionWithResultsType;
extern const Type<state::DeletedCollection> kCollectionDeletedType;

}  // namespace tonearm::table
