#pragma once
// A stored collection beside what the catalog has of its tracks now: what every answer about one is written from. Of
// one call; not to be shared between threads.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/answers/known_tracks.h"
#include "api/requests/call.h"
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

  /// The JSON of the collection, with the credits that one answer has beside it.
  std::string json_with(const table::CreditsBlock& credits) const;
  /// The answer to a write, in short where the client prefers so (COLLECTION-13). `results`: what became of the tracks
  /// that were to be added; null: none were asked for by list.
  Response written(const Call& call, int status, const std::vector<AddedTrack>* results = nullptr) const;

 private:
  table::CollectionView view_;
  std::set<std::string> non_commercial_now_;
};

}  // namespace tonearm::api
