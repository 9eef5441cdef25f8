#pragma once
// What is asked of a rendered track: its license as it is now, the record to keep of it, and what files are compared
// with. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// What makes its license another one (ITEM-3).
LicenseTerms license_terms(const RenderedTrack& track);

/// What the catalog says of it now (ITEM-2); the time is left to whoever adds it.
LicenseRecord license_record(const RenderedTrack& track, std::string_view catalog_version);

/// What a file may be known by (CREDIT-12).
struct TrackNames {
  std::string id;
  std::string title;
  std::string artist;
  std::uint64_t duration_ms = 0;
  std::string page_url;
  std::vector<std::string> addresses;  // of the source page, the preview and the original, as far as there are such
};
TrackNames track_names(const RenderedTrack& track);

}  // namespace tonearm::api
