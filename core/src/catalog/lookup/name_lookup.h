#pragma once
// Tracks by what they are called and by where they lie (CREDIT-12): from the words of a title, with or without the
// artist, and from an address. Constant, safe for concurrent use but for the tokenizer that is lent. Throws
// Failure if the file is damaged.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/lookup/track_lookup.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

class NameLookup {
 public:
  /// All outlive the object.
  NameLookup(const Index& index, const Fetcher& fetcher, const TrackLookup& lookup)
      : index_(index), fetcher_(fetcher), lookup_(lookup) {}

  /// As Catalog::look_up_titles.
  std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles, Tokenizer& tokenizer) const;
  /// As Catalog::look_up_addresses.
  std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const;

 private:
  struct Wanted {
    std::uint64_t hash = 0;
    Range duration_ms;  // looked at where too many tracks have the hash
  };
  std::vector<Namesakes> look_up(std::span<const Wanted> wanted) const;
  std::vector<Namesakes> positions_of(std::span<const Wanted> wanted) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const TrackLookup& lookup_;
};

}  // namespace tonearm::catalog
