#pragma once
// Passes the tracks of a generated catalog to a peer, one after the other, without storing them.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "generator.h"
#include "tonearm/catalog.h"
#include "tonearm/search.h"

namespace tonearm::bench {

/// A searchable track. Valid during the visit.
struct FedTrack {
  std::uint32_t number;  // 1, 2, ...: the default shuffle of the peers
  const Track& track;
  std::string_view json;  // as the service renders it
  std::string tags;       // their words, separated by spaces
  std::string_view category_id, category_label, top_id;
  std::string creator;  // in lower case
  LengthBucket length;
  Attribution attribution;
  bool speech;
};

using Visit = std::function<void(const FedTrack&)>;

class Feed {
 public:
  /// `catalog` must be built from the generator's tracks. Both must outlive the feed.
  Feed(const Generator& generator, const Catalog& catalog) : generator_(generator), catalog_(catalog) {}
  void each(const Visit& visit) const;

 private:
  const Generator& generator_;
  const Catalog& catalog_;
};

}  // namespace tonearm::bench
