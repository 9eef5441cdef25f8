#include "api/requests/body_fields.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/requests/hints.h"
#include "domain/collection.h"
#include "domain/fingerprint.h"
#include "text/unicode.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

namespace json = boost::json;
using std::string_view;
using table::BodyField;
using table::BodyType;
using table::FieldType;

// ---- Error messages

Error invalid(std::string message, std::string field) {
  return {ErrorCode::invalid_request, std::move(message), 0, std::move(field)};
}
Error wrong(const std::string& name, const std::string& problem) { return invalid(name + problem, name); }

std::string joined(std::span<const string_view> names, string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : string_view(", ");
    text += names[i];
  }
  return text;
}

Error unknown_field(const std::string& name, const BodyType& type, const std::string& parent) {
  const std::string path = parent + text::quotable(name);
  const std::string message = "The field \"" + path + "\" is not known here.";
  std::vector<string_view> names;
  for (const BodyField& field : type.fields) names.push_back(field.name);
  if (names.empty()) return invalid(message + " The body takes no fields.", path);
  if (const auto hint = meant_name<BodyField>(name, type.fields)) {
    return invalid(message + " Did you mean " + std::string(*hint) + '?', path);
  }
  return invalid(message + " Accepted are " + joined(names, ", ") + '.', path);
}

Error not_an_object(const std::string& item) { return wrong(item, " must be an object."); }
Error wrong_value(const std::string& name, const BodyField& field) {
  return wrong(name, " must be " + accepts(field) + '.');
}
Error missing_field(const std::string& parent, const BodyField& field) {
  return wrong(parent + std::string(field.name), " is missing: it must be " + accepts(field) + '.');
}
Error not_exactly_one(std::span<const string_view> names) {
  return invalid("The body must have exactly one of " + joined(names, " and ") + '.', std::string(names.front()));
}
Error not_any(std::span<const string_view> names) {
  return invalid("The body must have at least one of " + joined(names, " and ") + '.', std::string(names.front()));
}

// ---- Checks

bool is_one_of(string_view text, std::span<const string_view> values) {
  return std::find(values.begin(), values.end(), text) != values.end();
}

bool is_within(std::size_t number, std::int64_t min, std::int64_t max) {
  const auto value = static_cast<std::int64_t>(number);
  return value >= min && value <= max;
}

bool is_sha256(string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) { return ascii::hex_value(c) >= 0; });
}

bool has_form(string_view text, table::BodyText form) {
  if (form == table::BodyText::sha256) return is_sha256(text);
  if (form == table::BodyText::fingerprint) return read_fingerprint(text).has_value();
  return form != table::BodyText::web_address || text::is_web_address(text);
}

bool is_valid_text(string_view text, const BodyField& field) {
  if (!field.values.empty()) return is_one_of(text, field.values);
  if (field.text == table::BodyText::name) return is_collection_name(text);
  if (field.text == table::BodyText::note) return is_note(text, static_cast<std::size_t>(field.max));
  return is_within(text::code_points(text), field.min, field.max) && has_form(text, field.text);
}

bool is_valid_list(const json::array& list, const BodyField& field) {
  if (!is_within(list.size(), field.min, field.max)) return false;
  return std::all_of(list.begin(), list.end(), [&](const json::value& item) {
    const auto* text = item.if_string();
    if (text == nullptr) return false;
    if (!field.values.empty()) return is_one_of(*text, field.values);
    return is_within(text::code_points(*text), field.item_min, field.item_max);
  });
}

bool is_valid(const json::value& value, const BodyField& field) {
  if (value.is_null()) return field.nullable == table::Nullable::yes;
  switch (field.type) {
    case FieldType::string:
      return value.is_string() && is_valid_text(value.get_string(), field);
    case FieldType::strings:
      return value.is_array() && is_valid_list(value.get_array(), field);
    case FieldType::integer:
      return value.is_int64() && value.get_int64() >= field.min && value.get_int64() <= field.max;
    case FieldType::number:
      return value.is_number() && value.to_number<double>() > static_cast<double>(field.min) &&
             value.to_number<double>() <= static_cast<double>(field.max);
    case FieldType::boolean:
      return value.is_bool();
    case FieldType::objects:
      return value.is_array() && is_within(value.get_array().size(), field.min, field.max);
    default:
      return value.is_object();
  }
}

std::optional<Error> check_object(const json::object& object, const BodyType& type, const std::string& parent);

/// `name`: the list's name in messages.
std::optional<Error> check_objects(const json::array& list, const BodyType& type, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = name + '[' + std::to_string(i) + ']';
    if (!list[i].is_object()) return not_an_object(item);
    if (auto error = check_object(list[i].get_object(), type, item + '.')) return error;
  }
  return std::nullopt;
}

/// `parent`: the prefix of names in messages, such as "modifications."; empty for the body itself.
std::optional<Error> check_object(const json::object& object, const BodyType& type, const std::string& parent) {
  for (const auto& member : object) {
    const string_view key(member.key());
    const auto field =
        std::find_if(type.fields.begin(), type.fields.end(), [&](const BodyField& row) { return row.name == key; });
    if (field == type.fields.end()) return unknown_field(std::string(key), type, parent);
    if (!field->ignored_beside.empty() && object.contains(field->ignored_beside)) continue;
    const std::string name = parent + std::string(key);
    if (!is_valid(member.value(), *field)) return wrong_value(name, *field);
    if (field->object == nullptr || member.value().is_null()) continue;
    auto error = field->type == FieldType::objects
                     ? check_objects(member.value().get_array(), *field->object, name)
                     : check_object(member.value().get_object(), *field->object, name + '.');
    if (error) return error;
  }
  for (const BodyField& field : type.fields) {
    if (!field.required || object.contains(field.name)) continue;
    return missing_field(parent, field);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> check_fields(const json::object& object, const BodyType& type) {
  if (auto error = check_object(object, type, {})) return error;
  const auto count = [&](std::span<const string_view> names) {
    return std::count_if(names.begin(), names.end(), [&](string_view name) { return object.contains(name); });
  };
  if (!type.exactly_one_of.empty() && count(type.exactly_one_of) != 1) return not_exactly_one(type.exactly_one_of);
  if (!type.at_least_one_of.empty() && count(type.at_least_one_of) == 0) return not_any(type.at_least_one_of);
  return std::nullopt;
}

}  // namespace tonearm::api
