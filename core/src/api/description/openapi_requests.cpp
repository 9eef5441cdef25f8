#include "api/description/openapi_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "api/description/openapi_writing.h"
#include "tonearm/ascii.h"

namespace tonearm::api::openapi {
namespace {

using json::Writer;
using table::FieldType;
using table::Parameter;
using table::ParameterType;

// ---- Parameters

void write_string_schema(Writer& out, std::string_view pattern) {
  member(out, "type", "string");
  member(out, "pattern", pattern);
}

/// Writes the schema of a comma list. `write_item`: writes what its items have beside a type.
void write_list_schema(Writer& out, const Parameter& parameter, const std::function<void()>& write_item) {
  member(out, "type", "array");
  out.integer("minItems", 1);
  if (parameter.type == ParameterType::ids) out.integer("maxItems", parameter.max);
  object(out, "items", [&] {
    member(out, "type", "string");
    write_item();
  });
}

void write_item_lengths(Writer& out, std::uint32_t max) {
  out.integer("minLength", 1);
  out.integer("maxLength", max);
}

void write_parameter_schema(Writer& out, const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::text:
    case ParameterType::line:
      member(out, "type", "string");
      out.integer("minLength", parameter.min);
      out.integer("maxLength", parameter.max);
      break;
    case ParameterType::choice:
      member(out, "type", "string");
      write_enum(out, parameter.values, table::Nullable::no);
      break;
    case ParameterType::choices:
      write_list_schema(out, parameter, [&] { write_enum(out, parameter.values, table::Nullable::no); });
      break;
    case ParameterType::tags:
      write_list_schema(out, parameter, [&] { member(out, "pattern", "^[a-z0-9_-]+$"); });
      break;
    case ParameterType::paths:
      write_list_schema(out, parameter, [&] { member(out, "pattern", R"(^[a-z0-9_]+(\.[a-z0-9_]+)?$)"); });
      break;
    case ParameterType::domains:
      write_list_schema(out, parameter, [&] { write_item_lengths(out, table::kDomainMax); });
      break;
    case ParameterType::words:
      write_list_schema(out, parameter, [&] { write_item_lengths(out, parameter.max); });
      break;
    case ParameterType::ids:
      write_list_schema(out, parameter, [&] { write_item_lengths(out, table::kTrackIdMax); });
      break;
    case ParameterType::boolean:
      member(out, "type", "boolean");
      break;
    case ParameterType::boolean_01:
      member(out, "type", "string");
      raw_member(out, "enum", R"(["0","1","true","false"])");
      break;
    case ParameterType::tempo_range:
      write_string_schema(out, "^[0-9]{1,3}-[0-9]{1,3}$");
      break;
    case ParameterType::digits:
      member(out, "type", "integer");
      out.integer("minimum", parameter.min);
      out.integer("maximum", parameter.max);
      break;
    case ParameterType::cursor:
      write_string_schema(out, "^[0-9]{1,9}$");
      break;
    case ParameterType::decimal:
      write_string_schema(out, "^[0-9]{1,6}(\\.[0-9]{1,3})?$");
      break;
    case ParameterType::seed:
      write_string_schema(out, "^[A-Za-z0-9_-]{1,64}$");
      break;
    case ParameterType::path_segment:
      member(out, "type", "string");
      out.integer("minLength", 1);
      break;
  }
}

/// Writes the parts of a text between its commas.
void write_example_list(Writer& out, std::string_view text) {
  out.begin_array();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.string(text.substr(begin, end - begin));
    begin = end + 1;
  }
  out.end_array();
}

/// Writes the row's example, which is in the form of a query string, as a value of the schema.
void write_parameter_example(Writer& out, const Parameter& parameter) {
  out.key("example");
  switch (parameter.type) {
    case ParameterType::choices:
    case ParameterType::tags:
    case ParameterType::domains:
    case ParameterType::words:
    case ParameterType::paths:
    case ParameterType::ids:
      return write_example_list(out, parameter.example);
    case ParameterType::boolean:
    case ParameterType::digits:
      return out.raw(parameter.example);
    default:
      return out.string(parameter.example);
  }
}

std::string description_of(const Parameter& parameter) {
  if (parameter.type == ParameterType::path_segment) return std::string(parameter.description);
  constexpr std::array<std::string_view, 3> kApplies{"", " Music only.", " Sound effects only."};
  std::string text = fmt::format("{}{} Accepts {}.", parameter.description,
                                 kApplies[static_cast<std::size_t>(parameter.applies)], accepts(parameter));
  if (!parameter.default_value.empty()) text += fmt::format(" Default: {}.", parameter.default_value);
  return text;
}

void write_parameter(Writer& out, const Parameter& parameter, std::string_view location) {
  const bool in_header = location == "header";
  out.begin_object();
  member(out, "name", in_header ? parameter.header : parameter.name);
  member(out, "in", location);
  member(out, "description", description_of(parameter));
  if (parameter.required || location == "path") out.boolean("required", true);
  member(out, "style", location == "query" ? "form" : "simple");
  out.boolean("explode", false);
  object(out, "schema", [&] { write_parameter_schema(out, parameter); });
  write_parameter_example(out, parameter);
  out.end_object();
}

// ---- Bodies

void write_bound(Writer& out, std::string_view key, std::int64_t bound, std::int64_t none) {
  if (bound == none) return;
  out.key(key);
  out.integer(bound);
}

void write_body_object(Writer& out, const table::BodyType& type);

void write_body_strings(Writer& out, const table::BodyField& field) {
  write_bound(out, "minItems", field.min, 0);
  write_bound(out, "maxItems", field.max, table::kUnbounded);
  object(out, "items", [&] {
    member(out, "type", "string");
    write_enum(out, field.values, table::Nullable::no);
    write_bound(out, "minLength", field.item_min, 0);
    write_bound(out, "maxLength", field.item_max, table::kUnbounded);
  });
}

/// Returns the pattern of a string with a fixed form, or an empty one.
std::string_view pattern_of(table::BodyText form) {
  if (form == table::BodyText::sha256) return "^[0-9A-Fa-f]{64}$";
  if (form == table::BodyText::fingerprint) return "^[0-9A-Za-z+/_-]*={0,2}$";
  return form == table::BodyText::web_address ? "^[Hh][Tt][Tt][Pp][Ss]?://" : std::string_view{};
}

void write_body_number(Writer& out, const table::BodyField& field) {
  out.integer(field.type == FieldType::number ? "exclusiveMinimum" : "minimum", field.min);
  out.integer("maximum", field.max);
}

void write_body_objects(Writer& out, const table::BodyField& field, std::string_view description) {
  member(out, "type", "array");
  member(out, "description", description);
  write_bound(out, "minItems", field.min, 0);
  write_bound(out, "maxItems", field.max, table::kUnbounded);
  out.key("items");
  write_body_object(out, *field.object);
}

void write_body_field(Writer& out, const table::BodyField& field) {
  std::string description(field.description);
  if (!field.ignored_beside.empty()) description += fmt::format(" Ignored where {} is given.", field.ignored_beside);
  const bool nullable = field.nullable == table::Nullable::yes;
  if (field.type == FieldType::objects) return write_body_objects(out, field, description);
  if (field.object != nullptr) {
    member(out, "description", description);
    array(out, "anyOf", [&] {
      write_body_object(out, *field.object);
      if (nullable) out.raw(R"({"type":"null"})");
    });
    return;
  }
  write_type_name(out, field.type, field.nullable);
  member(out, "description", description);
  if (field.type == FieldType::strings) {
    write_body_strings(out, field);
  } else if (field.type == FieldType::integer || field.type == FieldType::number) {
    write_body_number(out, field);
  } else {
    write_enum(out, field.values, field.nullable);
    write_bound(out, "minLength", field.min, 0);
    write_bound(out, "maxLength", field.max, table::kUnbounded);
    if (!pattern_of(field.text).empty()) member(out, "pattern", pattern_of(field.text));
  }
  array(out, "examples", [&] { out.raw(field.example); });
}

/// Writes `oneOf` or `anyOf` for fields of which some are required.
void write_choice(Writer& out, std::string_view key, std::span<const std::string_view> names) {
  if (names.empty()) return;
  array(out, key, [&] {
    for (const std::string_view name : names) {
      out.begin_object();
      array(out, "required", [&] { out.string(name); });
      out.end_object();
    }
  });
}

void write_body_object(Writer& out, const table::BodyType& type) {
  out.begin_object();
  member(out, "type", "object");
  out.boolean("additionalProperties", false);
  object(out, "properties", [&] {
    for (const table::BodyField& field : type.fields) {
      object(out, field.name, [&] { write_body_field(out, field); });
    }
  });
  array(out, "required", [&] {
    for (const table::BodyField& field : type.fields) {
      if (field.required) out.string(field.name);
    }
  });
  write_choice(out, "oneOf", type.exactly_one_of);
  write_choice(out, "anyOf", type.at_least_one_of);
  out.end_object();
}

bool has_body(const Route& route) { return route.handler.body != nullptr && !route.handler.body->fields.empty(); }

bool is_body_required(const table::BodyType& body) {
  return !body.exactly_one_of.empty() || !body.at_least_one_of.empty() ||
         std::any_of(body.fields.begin(), body.fields.end(), [](const auto& field) { return field.required; });
}

/// Writes all fields except those that the first one of a choice excludes.
void write_body_example(Writer& out, const table::BodyType& body) {
  out.begin_object();
  for (const table::BodyField& field : body.fields) {
    const auto& choice = body.exactly_one_of;
    const auto found = std::find(choice.begin(), choice.end(), field.name);
    if (found != choice.end() && found != choice.begin()) continue;
    raw_member(out, field.name, field.example);
  }
  out.end_object();
}

/// Converts `update_item` to `UpdateItemBody`.
std::string body_name(const Route& route) {
  std::string name;
  bool is_word_start = true;
  for (const char c : operation_id(route)) {
    if (c != '_') name += is_word_start ? ascii::to_upper(c) : c;
    is_word_start = c == '_';
  }
  return name + "Body";
}

}  // namespace

std::string operation_id(const Route& route) {
  if (!route.name.empty()) return std::string(route.name);
  std::string id(route.summary);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](char c) { return ascii::is_alphanumeric(c) ? ascii::to_lower(c) : '_'; });
  return id;
}

void write_parameters(Writer& out, const Route& route) {
  array(out, "parameters", [&] {
    if (route.handler.parameters != nullptr) {
      for (const Parameter& parameter : route.handler.parameters->path) write_parameter(out, parameter, "path");
    }
    for (const Parameter& parameter : route.query()) {
      write_parameter(out, parameter, "query");
      if (!parameter.header.empty()) write_parameter(out, parameter, "header");
    }
    if (route.is_conditional()) write_component(out, "parameters", "If-None-Match");
    if (route.minimal_answer != nullptr) write_component(out, "parameters", "Prefer");
  });
}

void write_body(Writer& out, const Route& route) {
  if (!has_body(route)) return;
  object(out, "requestBody", [&] {
    out.boolean("required", is_body_required(*route.handler.body));
    object(out, "content", [&] {
      object(out, "application/json", [&] {
        out.key("schema");
        write_component(out, "schemas", body_name(route));
        out.key("example");
        write_body_example(out, *route.handler.body);
      });
    });
  });
}

void write_shared_parameters(Writer& out) {
  raw_member(
      out, "parameters",
      R"({"If-None-Match":{"name":"If-None-Match","in":"header","description":"Entity tags of answers that the client )"
      R"(has (RFC 9110).","schema":{"type":"string"},"example":"\"0123456789abcdef-3\""},)"
      R"("Prefer":{"name":"Prefer","in":"header","description":"return=minimal answers the summary instead of the )"
      R"(whole collection (RFC 7240).","schema":{"type":"string"},"example":"return=minimal"}})");
}

void write_body_schema(Writer& out, const Route& route) {
  if (!has_body(route)) return;
  out.key(body_name(route));
  write_body_object(out, *route.handler.body);
}

}  // namespace tonearm::api::openapi
