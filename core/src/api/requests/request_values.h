#pragma once
// Fills the structs that a route's function takes from a checked request. `routes.cpp` names the structs.

#include <optional>

#include "api/requests/call.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// Stores the values of path and query string in `arguments`, the struct that the route's parameters describe.
void fill_arguments(const Call& call, void* arguments);

/// Checks the body, and stores its fields in `body`, the struct that the route's body describes. Errors: those of
/// `parse_body`.
std::optional<Error> read_body(const Call& call, void* body);

}  // namespace tonearm::api
