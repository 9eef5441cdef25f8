#pragma once
// A stored collection beside what the catalog has of its tracks now: what every answer about one is written from. Of
// one call; not to be shared between threads.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/known_tracks.h"
#include "domain/credits.h"
#include "state/collections.h"
#include "table/collection_answers.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

class CollectionDetail {
 public:
  /// Learns what is not known of the members yet. `stored` and `tracks` outlive the object.
  CollectionDetail(const state::StoredCollection& stored, KnownTracks& tracks);

  /// Ids of the members whose current license allows no commercial use (COLLECTION-11).
  std::set<std::string> non_commercial_now() const;
  /// In collection order, from the license records (CREDIT-2).
  std::vector<CreditEntry> credit_entries() const;

  /// The JSON of the collection, without and with what some answers have beside it.
  std::string json() const;
  std::string json_with(const table::CreditsBlock& credits) const;
  std::string json_with(const std::vector<AddedTrack>& results) const;

 private:
  table::CollectionView view_;
  std::set<std::string> non_commercial_now_;
};

}  // namespace tonearm::api
