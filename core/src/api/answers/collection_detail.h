#pragma once
// A stored collection with the current catalog data of its tracks. All answers about a collection are written from it.
// Belongs to one call; not thread-safe.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/answers/collection_lookup.h"
#include "api/requests/call.h"
#include "domain/credits.h"
#include "state/collections/collections.h"
#include "table/collection_answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

class CollectionDetail {
 public:
  /// Loads the tracks of the collection that are not loaded yet, and stores them (HOST-63). `stored` and `tracks`
  /// outlive the object.
  CollectionDetail(const state::StoredCollection& stored, CollectionLookup& tracks);

  /// Returns the ids of the tracks whose current license does not allow commercial use (COLLECTION-11).
  std::set<std::string> non_commercial_now() const;
  /// Returns the credits in collection order, from the license records (CREDIT-2).
  std::vector<CreditEntry> credit_entries() const;

  std::string json_with_credits(const table::CreditsBlock& credits) const;
  /// Returns the response to a write, a summary if the client prefers it (COLLECTION-13). `results`: the outcome for
  /// each track of a list to add; null: there was no list.
  Response response_to_write(const Call& call, int status, const std::vector<AddedTrack>* results = nullptr) const;

 private:
  table::CollectionView view_;
  std::set<std::string> non_commercial_now_;
};

}  // namespace tonearm::api
