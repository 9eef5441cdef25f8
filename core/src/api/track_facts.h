#pragma once
// What collections ask of a rendered track: its license as it is now, and the record to keep of it. Pure, thread-safe.

#include <string_view>

#include "domain/collection.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

/// What makes its license another one (ITEM-3).
LicenseTerms license_terms(const RenderedTrack& track);

/// What the catalog says of it now (ITEM-2); the time is left to whoever adds it.
LicenseRecord license_record(const RenderedTrack& track, std::string_view catalog_version);

}  // namespace tonearm::api
