#pragma once
// Small pieces that every part of the description is written with.

#include <functional>
#include <span>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::api::openapi {

void member(json::Writer& out, std::string_view key, std::string_view value);
void object(json::Writer& out, std::string_view key, const std::function<void()>& write);
/// `value` is JSON already.
void raw_member(json::Writer& out, std::string_view key, std::string_view value);

/// {"$ref": ...}: `part` is of the components, such as "schemas".
void write_component(json::Writer& out, std::string_view part, std::string_view name);

/// A member "type", with null beside it where there may be none.
void write_type_name(json::Writer& out, table::FieldType type, table::Nullable nullable);
/// A member "enum"; none where there are no values.
void write_enum(json::Writer& out, std::span<const std::string_view> values, table::Nullable nullable);

}  // namespace tonearm::api::openapi
