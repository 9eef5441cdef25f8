#pragma once
// The types of answers: each field once, with its type, its meaning and how it is read. The JSON writer, the `fields`
// paths and the OpenAPI description use these rows; `describe.h` makes them from the members of plain structs.
// Constant, thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "json/writer.h"

namespace tonearm::table {

/// `map`: an object from names to strings.
enum class FieldType : std::uint8_t { string, integer, number, boolean, object, strings, objects, map };
enum class Nullable : std::uint8_t { no, yes };
enum class Trust : std::uint8_t { trusted, untrusted };
/// Whether every answer has the field.
enum class Presence : std::uint8_t { required, optional };

struct ObjectType;

struct Field {
  std::string_view name;
  std::string_view description;
  std::string_view example{};  // as JSON; empty if `object` has it
  FieldType type = FieldType::string;
  Nullable nullable = Nullable::no;
  Trust trust = Trust::trusted;
  Presence presence = Presence::required;
  const ObjectType* object = nullptr;
  std::span<const std::string_view> values{};  // the only values of a string field

  // How the value is read from the struct. Only `describe.h` knows the struct's type, and only `object_type.cpp` passes
  // it.
  /// Writes the value. Returns false and writes nothing if there is no value.
  bool (*write)(json::Writer& out, const Field& field, const void* view) = nullptr;
  /// Replaces `write` for an object inside the struct: returns that object, or null.
  const void* (*nested)(const void* view) = nullptr;
};

/// Whether an object has all its fields, or any subset of them and of its objects' fields.
enum class Completeness : std::uint8_t { complete, partial };

struct ObjectType {
  std::string_view name;
  std::string_view description;
  std::span<const Field> fields;
  Completeness completeness = Completeness::complete;
};

/// A type whose objects are written from a `View`.
template <class View>
struct Type : ObjectType {};

/// The field that lists which returned fields are third-party data. It is always present (TRACK-3).
inline constexpr std::string_view kUntrustedFields = "untrusted_fields";

namespace erased {

/// Writes an object. REQUIRES: `view` points to the struct that `type` describes, which `write_object` ensures.
void write(json::Writer& out, const ObjectType& type, const void* view);
/// Writes an object, and appends the start and end offset of the value of each field and of each field of its objects.
/// Below an object that is null both are 0.
void write(json::Writer& out, const ObjectType& type, const void* view, std::vector<std::uint32_t>& offsets);

}  // namespace erased

/// Writes an object field by field. A field without a value is null, or omitted if its presence is `optional`.
template <class View>
void write_object(json::Writer& out, const Type<View>& type, const std::type_identity_t<View>& view) {
  erased::write(out, type, &view);
}

template <class View>
std::string to_json(const Type<View>& type, const std::type_identity_t<View>& view) {
  json::Writer out;
  erased::write(out, type, &view);
  return out.take();
}

}  // namespace tonearm::table
