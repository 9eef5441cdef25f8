#pragma once
// The types of answers about collections (C6.2), and the plain values that they are written from.

#include <string>
#include <vector>

#include "domain/collection.h"
#include "domain/credits.h"
#include "state/collections.h"
#include "table/item_answers.h"
#include "table/types.h"

namespace tonearm::table {

struct CollectionsView {
  const std::vector<state::CollectionSummary>& collections;
};

/// The block of credits within a collection.
struct CreditsBlock {
  std::string text;
  CreditCounts counts;
};

struct CollectionView {
  state::CollectionSummary summary;
  std::vector<ItemView> items;
  const CreditsBlock* credits = nullptr;             // null: left out
  const std::vector<AddedTrack>* results = nullptr;  // null: left out
};

extern const ObjectType kCollectionsType;            // of CollectionsView
extern const ObjectType kCollectionType;             // of CollectionView
extern const ObjectType kCollectionWithCreditsType;  // of CollectionView
extern const ObjectType kCollectionWithResultsType;  // of CollectionView
extern const ObjectType kCollectionDeletedType;      // of state::DeletedCollection

}  // namespace tonearm::table
