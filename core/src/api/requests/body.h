#pragma once
// JSON bodies of requests, strictly (docs/spec/bodies.md). Pure, thread-safe.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>

#include "table/bodies.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// The one JSON object that a body holds, checked against the fields that the route takes. Errors: too_large,
/// else invalid_request, naming what is wrong. An empty body counts as {}.
Result<boost::json::object> parse_body(const Request& request, const table::BodyType& type);

/// The JSON value that a message holds, as strict as a body; what it says is not looked at. Errors: too_large, else
/// invalid_request.
Result<boost::json::value> parse_message(const Request& request);

/// The one JSON object of a line, as strict as a body; its fields are not looked at. Errors: invalid_request.
Result<boost::json::object> parse_line(std::string_view line);

}  // namespace tonearm::api
