#include "api/description/openapi_writing.h"

#include <fmt/format.h>

namespace tonearm::api::openapi {
namespace {

using table::FieldType;

std::string_view type_name(FieldType type) {
  switch (type) {
    case FieldType::string:
      return "string";
    case FieldType::integer:
      return "integer";
    case FieldType::number:
      return "number";
    case FieldType::boolean:
      return "boolean";
    case FieldType::strings:
    case FieldType::objects:
      return "array";
    case FieldType::object:
    case FieldType::map:
      return "object";
  }
  return "object";
}

}  // namespace

void member(json::Writer& out, std::string_view key, std::string_view value) {
  out.key(key);
  out.string(value);
}

void object(json::Writer& out, std::string_view key, const std::function<void()>& write) {
  out.key(key);
  out.begin_object();
  write();
  out.end_object();
}

void array(json::Writer& out, std::string_view key, const std::function<void()>& write) {
  out.key(key);
  out.begin_array();
  write();
  out.end_array();
}

void raw_member(json::Writer& out, std::string_view key, std::string_view value) {
  out.key(key);
  out.raw(value);
}

void write_component(json::Writer& out, std::string_view part, std::string_view name) {
  out.begin_object();
  member(out, "$ref", fmt::format("#/components/{}/{}", part, name));
  out.end_object();
}

void write_type_name(json::Writer& out, table::FieldType type, table::Nullable nullable) {
  if (nullable == table::Nullable::no) return member(out, "type", type_name(type));
  array(out, "type", [&] {
    out.string(type_name(type));
    out.string("null");
  });
}

void write_enum(json::Writer& out, std::span<const std::string_view> values, table::Nullable nullable) {
  if (values.empty()) return;
  array(out, "enum", [&] {
    for (const std::string_view value : values) out.string(value);
    if (nullable == table::Nullable::yes) out.null();
  });
}

}  // namespace tonearm::api::openapi
