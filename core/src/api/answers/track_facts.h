#pragma once
// Reads facts from a rendered track: its id, its current license terms, its license record, and the names that files
// are compared with. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

std::string track_id(const RenderedTrack& track);

/// Returns the terms that tell whether the license has changed (ITEM-3).
LicenseTerms license_terms(const RenderedTrack& track);

/// Returns the current license record (ITEM-2), without the time of recording.
LicenseRecord license_record(const RenderedTrack& track, std::string_view catalog_version);

/// What a file may be recognized by (CREDIT-12).
struct TrackNames {
  std::string id;
  std::string title;
  std::string artist;
  std::uint64_t duration_ms = 0;
  std::string page_url;
  std::vector<std::string> addresses;  // of the source page, the preview and the original, if present
};
TrackNames track_names(const RenderedTrack& track);

}  // namespace tonearm::api
