#pragma once
// Finds the track that a path names.

#include <cstdint>
#include <string>

#include "api/requests/call.h"

namespace tonearm::api {

/// Returns the track's position. Error: not_found.
Result<std::uint32_t> find_track(const Call& call, const std::string& id);

}  // namespace tonearm::api
