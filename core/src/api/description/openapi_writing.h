#pragma once
// Functions that write members and objects of the description.

#include <functional>
#include <span>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::api::openapi {

void member(json::Writer& out, std::string_view key, std::string_view value);
void object(json::Writer& out, std::string_view key, const std::function<void()>& write);
void array(json::Writer& out, std::string_view key, const std::function<void()>& write);
/// `value`: JSON.
void raw_member(json::Writer& out, std::string_view key, std::string_view value);

/// Writes {"$ref": ...}. `part`: a member of the components, such as "schemas".
void write_component(json::Writer& out, std::string_view part, std::string_view name);

/// Writes the member "type", with "null" if the value is nullable.
void write_type_name(json::Writer& out, table::FieldType type, table::Nullable nullable);
/// Writes the member "enum", unless there are no values.
void write_enum(json::Writer& out, std::span<const std::string_view> values, table::Nullable nullable);

}  // namespace tonearm::api::openapi
