#pragma once
// JSON bodies of requests, strictly (C6.8). Pure, thread-safe.

#include <boost/json/object.hpp>

#include "table/bodies.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// The one JSON object that a body holds, checked against the fields that the route takes. Errors: too_large,
/// else invalid_request, naming the fault. An empty body counts as {}.
Result<boost::json::object> parse_body(const Request& request, const table::BodyType& type);

}  // namespace tonearm::api
