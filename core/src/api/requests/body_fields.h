#pragma once
// The members of a JSON body against the fields that a route takes. Pure, thread-safe.

#include <boost/json/object.hpp>
#include <optional>

#include "table/bodies.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// The first error, as invalid_request, naming the field: one that is not known, one of another type or beyond its
/// bounds, one that is missing, or one too many.
std::optional<Error> check_fields(const boost::json::object& object, const table::BodyType& type);

}  // namespace tonearm::api
