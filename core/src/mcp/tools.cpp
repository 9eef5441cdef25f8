#include "mcp/tools.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "mcp/aliases.h"
#include "mcp/compact.h"
#include "mcp/identifiers.h"
#include "mcp/player.h"
#include "tonearm/ascii.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

/// Gives access to the parts of an OpenAPI description.
class Description {
 public:
  explicit Description(string_view text) : root_(js::parse(text)) {}

  const js::object& operation(const Operation& of) const {
    return root_.at("paths").at(of.path).at(ascii::to_lower(of.method)).as_object();
  }
  /// Returns the target of a reference, or the value itself if it is not a reference.
  const js::value& resolved(const js::value& value) const {
    const auto* object = value.if_object();
    const auto* reference = object == nullptr ? nullptr : object->if_contains("$ref");
    if (reference == nullptr) return value;
    string_view path = string_view(reference->as_string()).substr(2);
    const js::value* found = &root_;
    while (!path.empty()) {
      const string_view step = path.substr(0, path.find('/'));
      found = &found->at(step);
      path.remove_prefix(std::min(path.size(), step.size() + 1));
    }
    return *found;
  }

 private:
  js::value root_;
};

/// Copies a schema, without what the service checks anyway and a model does not need: examples, patterns, lower bounds
/// of one, and bounds of the number type.
js::value simplified(const js::value& schema) {
  if (const auto* array = schema.if_array()) {
    js::array copied;
    for (const js::value& item : *array) copied.push_back(simplified(item));
    return copied;
  }
  const auto* object = schema.if_object();
  if (object == nullptr) return schema;
  js::object copied;
  for (const auto& [key, value] : *object) {
    const bool is_lower = key == "minLength" || key == "minItems";
    if (is_lower && value.is_int64() && value.get_int64() <= 1) continue;
    if (key == "maximum" && value.is_int64() && value.get_int64() == table::kUnbounded) continue;
    if (key == "examples" || key == "pattern") continue;
    if (key == "required" && value.is_array() && value.get_array().empty()) continue;
    copied[key] = simplified(value);
  }
  return copied;
}

/// A default value in the type of its parameter.
js::value default_of(const table::Parameter& row) {
  if (is_page_size(row)) return kPageSize;
  if (row.type == table::ParameterType::digits) return js::parse(row.default_value);
  return js::string(row.default_value);
}

/// A query parameter as an argument in its native JSON type. The row's own text describes it: the schema has the rest.
js::object query_schema(const table::Parameter& row, const js::object& in_api) {
  js::object schema = simplified(in_api).as_object();
  switch (row.type) {
    case table::ParameterType::decimal:
      schema = {{"type", "number"}, {"minimum", 0}};
      break;
    case table::ParameterType::boolean_01:
      schema = {{"type", "boolean"}};
      break;
    case table::ParameterType::tempo_range:
      schema["pattern"] = in_api.at("pattern");
      break;
    default:
      break;
  }
  constexpr std::array<string_view, 3> kApplies{"", " Music only.", " Sound effects only."};
  schema["description"] = std::string(row.description) + std::string(kApplies[static_cast<std::size_t>(row.applies)]);
  if (!row.default_value.empty()) schema["default"] = default_of(row);
  return schema;
}

struct Arguments {
  js::object properties;
  js::array required;
};

void add_parameters(const Operation& operation, const Description& description, Arguments& out) {
  for (const js::value& listed : description.operation(operation).at("parameters").as_array()) {
    const js::object& parameter = description.resolved(listed).as_object();
    if (parameter.at("in").as_string() == "header") continue;
    const string_view api_name = parameter.at("name").as_string();
    const string_view name = argument_name(operation, api_name);
    const auto& in_api = description.resolved(parameter.at("schema")).as_object();
    const auto* row = operation.query_row(api_name);
    const auto* is_required = parameter.if_contains("required");
    if (is_required != nullptr && is_required->as_bool()) out.required.emplace_back(name);
    js::object schema = row == nullptr ? js::object{{"type", "string"}} : query_schema(*row, in_api);
    // MCP-8: a deletion must be confirmed.
    if (name == "confirm") {
      schema["enum"] = js::array{true};
      out.required.emplace_back(name);
    }
    out.properties[name] = std::move(schema);
  }
}

/// Adds the fields of a body. Omits `oneOf` and `anyOf`, because clients reject them at the top of a tool's schema;
/// errors report wrong combinations.
void add_body(const Operation& operation, const Description& description, Arguments& out) {
  const auto* body = description.operation(operation).if_contains("requestBody");
  if (body == nullptr) return;
  const js::value& content = description.resolved(*body).at("content").at("application/json").at("schema");
  const js::object schema = simplified(description.resolved(content)).as_object();
  for (const auto& [name, field] : schema.at("properties").as_object()) {
    out.properties[argument_name(operation, name)] = field;
  }
  if (const auto* names = schema.if_contains("required")) {
    for (const js::value& name : names->as_array()) {
      out.required.emplace_back(argument_name(operation, string_view(name.as_string())));
    }
  }
}

js::object input_schema(const Operation& operation, const Description& description) {
  Arguments arguments;
  add_parameters(operation, description, arguments);
  add_body(operation, description, arguments);
  if (operation.answer != nullptr) {
    arguments.properties["detail"] = js::object{{"type", "string"}, {"enum", js::array{"compact", "full"}}};
  }
  js::object schema{{"type", "object"}, {"properties", std::move(arguments.properties)}};
  if (!arguments.required.empty()) schema["required"] = std::move(arguments.required);
  schema["additionalProperties"] = false;
  return schema;
}

js::object type_of(const table::Field& field) {
  using table::FieldType;
  string_view type = "object";
  switch (field.type) {
    case FieldType::string:
      type = "string";
      break;
    case FieldType::integer:
    case FieldType::number:
      type = "number";
      break;
    case FieldType::boolean:
      type = "boolean";
      break;
    case FieldType::strings:
    case FieldType::objects:
      type = "array";
      break;
    case FieldType::object:
    case FieldType::map:
      break;
  }
  if (field.nullable == table::Nullable::yes) return {{"type", js::array{type, "null"}}};
  return {{"type", type}};
}

/// The members of a result, one level deep: what is inside is described by its data. A summary has the members that the
/// whole answer has, too.
js::object output_schema(const Operation& operation) {
  js::object schema{{"type", "object"}};
  const auto* type = operation.minimal_answer == nullptr ? operation.answer : operation.minimal_answer;
  if (type == nullptr) {
    schema["properties"] = js::object{{"text", js::object{{"type", "string"}}}};
    return schema;
  }
  if (operation.answers_text) return schema;
  const auto kept = compact_fields(type->name);
  js::object properties;
  for (const table::Field& field : type->fields) {
    if (!kept.empty() && std::find(kept.begin(), kept.end(), field.name) == kept.end()) continue;
    const string_view identifier = identifier_of(type->name, field.name);
    if (!identifier.empty()) properties[identifier] = type_of(field);
    properties[field.name] = type_of(field);
  }
  schema["properties"] = std::move(properties);
  return schema;
}

js::object annotations(const Operation& operation) {
  js::object hints{{"readOnlyHint", operation.read_only}};
  if (!operation.read_only) {
    hints["destructiveHint"] = operation.method != "POST";
    hints["idempotentHint"] = operation.idempotent;
  }
  hints["openWorldHint"] = false;
  return hints;
}

}  // namespace

bool is_page_size(const table::Parameter& row) { return row.name == "limit" && row.max == table::kPageSizeMax; }

const table::Parameter* Operation::query_row(string_view parameter) const {
  const auto row =
      std::find_if(query.begin(), query.end(), [parameter](const auto& it) { return it.name == parameter; });
  return row == query.end() ? nullptr : &*row;
}

bool Operation::takes(string_view name_in_api) const {
  if (path.find('{' + std::string(name_in_api) + '}') != string_view::npos) return true;
  if (query_row(name_in_api) != nullptr) return true;
  return body != nullptr && std::any_of(body->fields.begin(), body->fields.end(),
                                        [&](const auto& field) { return field.name == name_in_api; });
}

Tools::Tools(std::vector<Operation> operations, string_view description_text) : operations_(std::move(operations)) {
  const Description description(description_text);
  js::array list;
  js::array list_for_apps;
  for (const Operation& operation : operations_) {
    js::object tool{{"name", operation.name},
                    {"title", operation.title},
                    {"description", operation.description},
                    {"inputSchema", input_schema(operation, description)},
                    {"outputSchema", output_schema(operation)},
                    {"annotations", annotations(operation)}};
    list.push_back(tool);
    if (shows_player(operation.name)) tool["_meta"] = {{"ui", {{"resourceUri", kPlayerUri}}}};
    list_for_apps.push_back(std::move(tool));
  }
  for (const Alias& alias : aliases()) {
    list.push_back(listed(alias));
    list_for_apps.push_back(listed(alias));
  }
  list_ = js::serialize(list);
  list_for_apps_ = js::serialize(list_for_apps);
}

const Operation* Tools::find(string_view name) const {
  const auto found =
      std::find_if(operations_.begin(), operations_.end(), [name](const Operation& it) { return it.name == name; });
  if (found != operations_.end()) return &*found;
  const Alias* alias = find_alias(name);
  return alias == nullptr ? nullptr : find(alias->tool);
}

}  // namespace tonearm::mcp
