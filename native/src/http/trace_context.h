#pragma once
// The trace id of a request (W3C Trace Context). Pure, thread-safe.

#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

/// Returns the value of the field `traceparent` if there is exactly one and it has the format of version 00, otherwise
/// an empty view (HOST-35). It points into `headers`. Only the format is checked: a client may claim any trace.
std::string_view traceparent(const Headers& headers);

}  // namespace tonearm::native
