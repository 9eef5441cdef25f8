#include "output/json_values.h"

#include <array>
#include <charconv>
#include <vector>

#include "server/api_client.h"

namespace tonearm::cli {

namespace json = boost::json;

namespace {

/// Returns "90.5", which boost::json would write as 9.05E1.
std::string shortest(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

std::size_t member_count(const json::value& value) {
  std::size_t count = 0;
  if (const auto* const object = value.if_object()) {
    count = object->size();
    for (const auto& member : *object) count += member_count(member.value());
  } else if (const auto* const array = value.if_array()) {
    for (const auto& item : *array) count += member_count(item);
  }
  return count;
}

/// The members that valid JSON has, repeated ones included: each has a colon outside of strings.
std::size_t written_member_count(std::string_view text) {
  std::size_t count = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_in_string = !is_in_string;
    if (c == '\\') ++i;  // the escaped character
    if (c == ':' && !is_in_string) ++count;
  }
  return count;
}

}  // namespace

json::object read_answer(const std::string& body) {
  json::error_code error;
  auto value = json::parse(body, error);
  if (error || !value.is_object()) {
    throw ServerError("the server's answer is not from the API: is this its address?");
  }
  return std::move(value.as_object());
}

const json::value* find(const json::object& object, std::initializer_list<std::string_view> names) {
  const json::object* parent = &object;
  const json::value* value = nullptr;
  for (const auto name : names) {
    value = parent == nullptr ? nullptr : parent->if_contains(json::string_view(name.data(), name.size()));
    if (value == nullptr) return nullptr;
    parent = value->if_object();
  }
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string text_at(const json::object& object, std::initializer_list<std::string_view> names) {
  const auto* const value = find(object, names);
  if (value == nullptr || value->is_object() || value->is_array()) return {};
  if (const auto* const text = value->if_string()) return {text->data(), text->size()};
  if (const auto* const number = value->if_double()) return shortest(*number);
  return json::serialize(*value);
}

std::optional<bool> bool_at(const json::object& object, std::initializer_list<std::string_view> names) {
  const auto* const value = find(object, names);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->as_bool();
}

std::int64_t number_at(const json::object& object, std::initializer_list<std::string_view> names) {
  const auto* const value = find(object, names);
  json::error_code error;
  const auto number = value == nullptr ? 0 : value->to_number<std::int64_t>(error);
  return error ? 0 : number;
}

std::vector<const json::object*> objects_at(const json::object& object, std::initializer_list<std::string_view> names) {
  std::vector<const json::object*> objects;
  const auto* const value = find(object, names);
  if (value == nullptr || !value->is_array()) return objects;
  objects.reserve(value->get_array().size());
  for (const auto& item : value->get_array()) {
    if (item.is_object()) objects.push_back(&item.get_object());
  }
  return objects;
}

bool has_repeated_names(std::string_view text, const json::value& value) {
  return written_member_count(text) != member_count(value);
}

}  // namespace tonearm::cli
