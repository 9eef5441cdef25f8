#pragma once
// Writes the parameters and bodies of operations from the rows of the tables.

#include <string>

#include "api/requests/routes.h"
#include "json/writer.h"

namespace tonearm::api::openapi {

/// Returns the name in the route's row, or one derived from its summary.
std::string operation_id(const Route& route);

/// Writes the member "parameters": those of the path, the query string, and header fields.
void write_parameters(json::Writer& out, const Route& route);
/// Writes the member "requestBody", if the operation takes a body.
void write_body(json::Writer& out, const Route& route);

/// Writes the member "parameters" of the components: header fields that several operations take.
void write_shared_parameters(json::Writer& out);
/// Writes the body's schema as a member of the components, if the operation takes a body.
void write_body_schema(json::Writer& out, const Route& route);

}  // namespace tonearm::api::openapi
