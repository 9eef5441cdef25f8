#pragma once
// Types of answers as schemas, and examples of them, from the rows of their fields.

#include <map>
#include <string>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::api::openapi {

/// Types by their names.
using Types = std::map<std::string_view, const table::ObjectType*>;

/// Adds a type and those of its fields.
void collect(const table::ObjectType& type, Types& types);

void write_schema(json::Writer& out, const table::ObjectType& type);

/// An object of the type, made of the examples of its fields; those that are there `sometimes` are left out.
std::string example_of(const table::ObjectType& type);

}  // namespace tonearm::api::openapi
