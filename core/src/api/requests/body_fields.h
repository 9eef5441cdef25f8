#pragma once
// Checks the members of a JSON body against the fields of a route. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <optional>

#include "table/bodies.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// Returns the first error, which names the field: it is unknown, has a wrong type, is out of bounds, is missing, or
/// excludes another one. Errors: invalid_request.
std::optional<Error> check_fields(const boost::json::object& object, const table::BodyType& type);

}  // namespace tonearm::api
