#include "review/license_values.h"

#include <algorithm>

namespace tonearm::builder {

bool LicenseValues::differ(const RenderedTrack& a, const RenderedTrack& b) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const TrackPath& path) { return path.of(a) != path.of(b); });
}

std::string LicenseValues::json(const RenderedTrack& track) const {
  std::string json;
  for (std::size_t i = 0; i < kPaths.size(); ++i) {
    json.append(i == 0 ? "{\"" : ",\"").append(kPaths.at(i)).append("\":").append(paths_[i].of(track));
  }
  return json + "}";
}

}  // namespace tonearm::builder
