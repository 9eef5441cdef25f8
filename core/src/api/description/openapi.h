#pragma once
// The OpenAPI 3.1 descriptions, written from the table of routes.

#include <string>

#include "api/requests/routes.h"

namespace tonearm::api {

/// Returns the description of the API and the public paths (SERVICE-5). Constant, thread-safe.
const std::string& openapi_description();

/// Writes the description of the admin interface (Surface::admin), or that of all other surfaces.
std::string make_openapi(Surface surface);

}  // namespace tonearm::api
