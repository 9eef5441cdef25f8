#pragma once
// The OpenAPI 3.1 descriptions, made from the table of routes.

#include <string>

#include "api/requests/routes.h"

namespace tonearm::api {

/// The description of the API and the public paths (SERVICE-5), version 1.0.0. Constant.
const std::string& openapi_description();

/// The same for one surface: the admin interface is described by Surface::admin.
std::string make_openapi(Surface surface);

}  // namespace tonearm::api
