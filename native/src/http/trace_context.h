#pragma once
// The place of a request in a trace of its client, by W3C's Trace Context. Pure, thread-safe.

#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

/// The value of the field `traceparent` where there is one such field and it has the form of version 00; else nothing
/// (HOST-35). Points into `headers`. Only its form is known: a client may claim to be in any trace.
std::string_view traceparent(const Headers& headers);

}  // namespace tonearm::native
