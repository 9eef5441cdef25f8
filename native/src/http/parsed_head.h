#pragma once
// Reads the request of an accepted head. Pure, thread-safe.

#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

/// Parses a complete head, without an empty line before it. Does not set the client. REQUIRES: strict_head.h accepted
/// it.
RequestHead parse_head(std::string_view head);

}  // namespace tonearm::native
