#pragma once
// A strict parser of JSON bodies (docs/spec/bodies.md). Pure, thread-safe.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>

#include "table/bodies.h"
#include "tonearm/http.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// Parses a body, which must be one JSON object, and checks its fields against the route's. An empty body counts as {}.
/// Errors: too_large; invalid_request, which names what is wrong.
Result<boost::json::object> parse_body(const Request& request, const table::BodyType& type);

/// Parses an MCP message, which may be any JSON value, as strictly as a body. Errors: too_large, invalid_request.
Result<boost::json::value> parse_message(const Request& request);

/// Parses a line, which must be one JSON object, as strictly as a body. Does not check its fields. Errors:
/// invalid_request.
Result<boost::json::object> parse_line(std::string_view line);

}  // namespace tonearm::api
