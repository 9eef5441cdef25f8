#pragma once
// Writes the schemas and examples of answer types from the rows of their fields.

#include <map>
#include <string>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::api::openapi {

/// Types by name.
using Types = std::map<std::string_view, const table::ObjectType*>;

/// Adds a type and the types of its fields.
void collect_types(const table::ObjectType& type, Types& types);

void write_schema(json::Writer& out, const table::ObjectType& type);

/// Returns an example object, made of the examples of its fields. Omits fields with the presence `sometimes`.
std::string example_of(const table::ObjectType& type);

}  // namespace tonearm::api::openapi
