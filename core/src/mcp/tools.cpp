#include "mcp/tools.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "mcp/compact.h"
#include "tonearm/ascii.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;

constexpr string_view kSchemas = "#/components/schemas/";
constexpr string_view kDefinitions = "#/$defs/";

/// Gives access to the parts of an OpenAPI description.
class Description {
 public:
  explicit Description(string_view text) : root_(js::parse(text)) {}

  const js::object& operation(const Operation& of) const {
    return root_.at("paths").at(of.path).at(ascii::to_lower(of.method)).as_object();
  }
  const js::object& schema(string_view name) const { return root_.at("components").at("schemas").at(name).as_object(); }
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

/// Collects the schemas that a tool's schema refers to, as its `$defs`.
class Definitions {
 public:
  enum class Descriptions : std::uint8_t { included, omitted };
  Definitions(const Description& description, Descriptions words) : description_(description), descriptions_(words) {}

  /// Copies a schema, with its references changed to `$defs`. Omits examples, and descriptions of answers: a model
  /// would read them in each conversation.
  js::value copy(const js::value& schema) {
    if (const auto* array = schema.if_array()) {
      js::array copied;
      for (const js::value& item : *array) copied.push_back(copy(item));
      return copied;
    }
    const auto* object = schema.if_object();
    if (object == nullptr) return schema;
    js::object copied;
    for (const js::key_value_pair& member : *object) {
      if (member.key() == "examples" && member.value().is_array()) continue;
      // If it is not a string, it is the schema of a field named `description`.
      if (descriptions_ == Descriptions::omitted && member.key() == "description" && member.value().is_string())
        continue;
      if (member.key() == "$ref" && member.value().is_string()) {
        copied["$ref"] = reference(string_view(member.value().get_string()).substr(kSchemas.size()));
      } else {
        copied[member.key()] = copy(member.value());
      }
    }
    return copied;
  }

  /// Returns a reference to a schema, and includes it in `$defs`.
  std::string reference(string_view name) {
    if (!definitions_.contains(name)) {
      definitions_[name] = nullptr;  // a schema may refer to itself
      definitions_[name] = object_schema(name);
    }
    return std::string(kDefinitions) + std::string(name);
  }

  /// Returns the schema of an object. Fields that compact answers omit are not required (MCP-9).
  js::object object_schema(string_view name) {
    js::object schema = copy(description_.schema(name)).as_object();
    const auto included = compact_fields(name);
    if (included.empty() && !omits_empty_lists(name)) return schema;
    js::array required;
    for (const js::value& field : schema.at("required").as_array()) {
      const bool is_included =
          std::find(included.begin(), included.end(), string_view(field.as_string())) != included.end();
      if (is_included) required.push_back(field);
    }
    schema["required"] = std::move(required);
    return schema;
  }

  void add_to(js::object& schema) const {
    if (!definitions_.empty()) schema["$defs"] = definitions_;
  }

 private:
  const Description& description_;
  Descriptions descriptions_;
  js::object definitions_;
};

/// Lets a parameter that is text in a query string also have its native JSON type.
void accept_native_type(const Operation& operation, string_view name, js::object& schema) {
  const auto row = std::find_if(operation.query.begin(), operation.query.end(),
                                [name](const table::Parameter& it) { return it.name == name; });
  if (row == operation.query.end()) return;
  if (row->type == table::ParameterType::decimal) schema["type"] = js::array{"number", "string"};
  if (row->type == table::ParameterType::boolean_01) {
    for (const bool value : {true, false}) schema.at("enum").as_array().emplace_back(value);
  }
}

void add_parameters(const Operation& operation, const Description& description, Definitions& definitions,
                    js::object& properties, js::array& required) {
  for (const js::value& listed : description.operation(operation).at("parameters").as_array()) {
    const js::object& parameter = description.resolved(listed).as_object();
    if (parameter.at("in").as_string() == "header") continue;
    const js::string& name = parameter.at("name").as_string();
    js::object schema = definitions.copy(description.resolved(parameter.at("schema"))).as_object();
    accept_native_type(operation, name, schema);
    schema["description"] = parameter.at("description");
    const auto* is_required = parameter.if_contains("required");
    if (is_required != nullptr && is_required->as_bool()) required.emplace_back(name);
    // MCP-8: a deletion must be confirmed.
    if (name == "confirm") {
      schema["enum"] = js::array{true};
      required.emplace_back(name);
    }
    properties[name] = std::move(schema);
  }
}

/// Adds the fields of a body. Omits `oneOf` and `anyOf`, because clients reject them at the top of a tool's schema;
/// errors report wrong combinations.
void add_body(const Operation& operation, const Description& description, Definitions& definitions,
              js::object& properties, js::array& required) {
  const auto* body = description.operation(operation).if_contains("requestBody");
  if (body == nullptr) return;
  const js::value& content = description.resolved(*body).at("content").at("application/json").at("schema");
  const js::object schema = definitions.copy(description.resolved(content)).as_object();
  for (const js::key_value_pair& field : schema.at("properties").as_object()) properties[field.key()] = field.value();
  if (const auto* names = schema.if_contains("required")) {
    for (const js::value& name : names->as_array()) required.push_back(name);
  }
}

js::object input_schema(const Operation& operation, const Description& description) {
  Definitions definitions(description, Definitions::Descriptions::included);
  js::object properties;
  js::array required;
  add_parameters(operation, description, definitions, properties, required);
  add_body(operation, description, definitions, properties, required);
  if (operation.answer != nullptr) {
    properties["detail"] = js::object{{"type", "string"},
                                      {"enum", js::array{"compact", "full"}},
                                      {"default", "compact"},
                                      {"description", "compact: what a choice needs; full: every field."}};
  }
  js::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  definitions.add_to(schema);
  return schema;
}

/// The schema of an answer that is not JSON.
js::object text_schema() {
  return {{"type", "object"},
          {"properties",
           js::object{{"text", js::object{{"type", "string"}, {"description", "The file, as text."}}},
                      {"untrusted_fields", js::object{{"type", "array"}, {"items", js::object{{"type", "string"}}}}}}},
          {"required", js::array{"text", "untrusted_fields"}}};
}

js::object output_schema(const Operation& operation, const Description& description) {
  Definitions definitions(description, Definitions::Descriptions::omitted);
  js::array forms;
  if (operation.answer != nullptr) forms.push_back(js::object{{"$ref", definitions.reference(operation.answer->name)}});
  if (operation.minimal_answer != nullptr) {
    forms.push_back(js::object{{"$ref", definitions.reference(operation.minimal_answer->name)}});
  }
  if (operation.answers_text) forms.push_back(text_schema());
  js::object schema{{"type", "object"}};
  if (forms.size() > 1) {
    schema["anyOf"] = std::move(forms);
  } else if (operation.answer != nullptr) {
    schema = definitions.object_schema(operation.answer->name);
  } else {
    schema = text_schema();
  }
  definitions.add_to(schema);
  return schema;
}

js::object annotations(const Operation& operation) {
  js::object hints{{"title", operation.title}, {"readOnlyHint", operation.read_only}};
  if (!operation.read_only) {
    hints["destructiveHint"] = operation.method != "POST";
    hints["idempotentHint"] = operation.idempotent;
  }
  hints["openWorldHint"] = false;
  return hints;
}

}  // namespace

Tools::Tools(std::vector<Operation> operations, string_view description_text) : operations_(std::move(operations)) {
  const Description description(description_text);
  js::array list;
  for (const Operation& operation : operations_) {
    list.push_back(js::object{{"name", operation.name},
                              {"title", operation.title},
                              {"description", operation.description},
                              {"inputSchema", input_schema(operation, description)},
                              {"outputSchema", output_schema(operation, description)},
                              {"annotations", annotations(operation)}});
  }
  list_ = js::serialize(list);
}

const Operation* Tools::find(string_view name) const {
  const auto found =
      std::find_if(operations_.begin(), operations_.end(), [name](const Operation& it) { return it.name == name; });
  return found == operations_.end() ? nullptr : &*found;
}

}  // namespace tonearm::mcp
