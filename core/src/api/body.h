#pragma once
// JSON bodies of requests, strictly (C6.8). Pure, thread-safe.

#include <boost/json/object.hpp>
#include <span>

#include "table/routes.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// The one JSON object that a body holds, checked against the fields that the route takes. Errors: too_large,
/// else invalid_request, naming the fault. An empty body counts as {}.
Result<boost::json::object> parse_body(const Request& request, std::span<const table::BodyField> fields);

}  // namespace tonearm::api
