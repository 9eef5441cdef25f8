#pragma once
// The values of a track that depend on its license: the definition of a license change (PROGRAM-26, CHANGE-2).

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "review/opened_snapshot.h"

namespace tonearm::builder {

class LicenseValues {
 public:
  /// Whether two rendered tracks state different licenses. Throws Failure for a damaged track.
  bool differ(const RenderedTrack& a, const RenderedTrack& b) const;
  /// Returns a JSON object: id, URL, status, attribution.
  std::string json(const RenderedTrack& track) const;
  /// Returns the license's id.
  std::string id(const RenderedTrack& track) const { return text_of(paths_.front().of(track)); }

 private:
  static constexpr std::array<std::string_view, 4> kPaths{"license.id", "license.url", "license.status", "attribution"};

  std::vector<TrackPath> paths_{kPaths.begin(), kPaths.end()};
};

}  // namespace tonearm::builder
