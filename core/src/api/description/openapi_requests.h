#pragma once
// What operations take: their parameters and bodies, from the rows of the tables.

#include <string>

#include "api/requests/routes.h"
#include "json/writer.h"

namespace tonearm::api::openapi {

/// The name of an operation: of its row, or made from its summary.
std::string operation_id(const Route& route);

/// A member "parameters": of the path, of the query string, and header fields.
void write_parameters(json::Writer& out, const Route& route);
/// A member "requestBody", where the operation takes one.
void write_body(json::Writer& out, const Route& route);

/// The member "parameters" of the components: header fields that several operations take.
void write_shared_parameters(json::Writer& out);
/// The schema of the body, as a member of the components, where the operation takes one.
void write_body_schema(json::Writer& out, const Route& route);

}  // namespace tonearm::api::openapi
