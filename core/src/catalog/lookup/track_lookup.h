#pragma once
// Finds tracks by position and by id. Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/query/fetch.h"

namespace tonearm::catalog {

class TrackLookup {
 public:
  /// Both must outlive the object.
  TrackLookup(const Index& index, const Fetcher& fetcher) : index_(index), fetcher_(fetcher) {}

  /// Throws CatalogDamaged if a position is invalid.
  std::vector<StoredTrack> at(std::span<const std::uint32_t> positions) const;
  std::optional<std::uint32_t> find(std::string_view id) const;
  /// As Catalog::look_up.
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const;
  /// Returns the positions of tracks that have one of the ids and are among `positions`; both ascend.
  std::vector<std::uint32_t> find_among(std::span<const std::string> ids,
                                        std::span<const std::uint32_t> positions) const;

 private:
  std::optional<std::uint32_t> first_with(std::span<const std::uint32_t> positions, std::string_view id) const;

  const Index& index_;
  const Fetcher& fetcher_;
};

}  // namespace tonearm::catalog
