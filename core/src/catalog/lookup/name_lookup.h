#pragma once
// Finds tracks by title, with or without the artist, and by address (CREDIT-12). Constant, safe for concurrent use
// except for the tokenizer argument. Throws CatalogDamaged if the file is damaged.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/lookup/track_lookup.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

class NameLookup {
 public:
  /// All must outlive the object.
  NameLookup(const Index& index, const Fetcher& fetcher, const TrackLookup& lookup)
      : index_(index), fetcher_(fetcher), lookup_(lookup) {}

  /// As Catalog::look_up_titles.
  std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles, Tokenizer& tokenizer) const;
  /// As Catalog::look_up_addresses.
  std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const;

 private:
  struct HashQuery {
    std::uint64_t hash = 0;
    Range duration_ms;  // compared if too many tracks have the hash
  };
  std::vector<Namesakes> look_up(std::span<const HashQuery> queries) const;
  std::vector<Namesakes> find_positions(std::span<const HashQuery> queries) const;

  const Index& index_;
  const Fetcher& fetcher_;
  const TrackLookup& lookup_;
};

}  // namespace tonearm::catalog
