#pragma once
// From a checked request to the structs that the function behind its route takes: `routes.cpp` knows which they are.

#include <optional>

#include "api/requests/call.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// Puts the names of the path and the values of the query string into the struct that the parameters of the route
/// were described for.
void fill_arguments(const Call& call, void* arguments);

/// Checks the body, and puts its fields into the struct that the body of the route was described for. The errors are
/// those of `parse_body`.
std::optional<Error> read_body(const Call& call, void* body);

}  // namespace tonearm::api
