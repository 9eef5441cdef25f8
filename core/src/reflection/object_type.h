#pragma once
// The types of answers as their readers see them: each field once, with its type, its meaning and how it is read. The
// JSON writer, the `fields` paths and the OpenAPI description read these rows; `table/describe.h` makes them from the
// members of plain structs. Constant, thread-safe.

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
enum class Trust : std::uint8_t { ours, untrusted };
/// Whether each answer has the field.
enum class Presence : std::uint8_t { always, sometimes };

struct ObjectType;

struct Field {
  std::string_view name;
  std::string_view description;
  std::string_view example{};  // as JSON; empty where `object` gives it
  FieldType type = FieldType::string;
  Nullable nullable = Nullable::no;
  Trust trust = Trust::ours;
  Presence presence = Presence::always;
  const ObjectType* object = nullptr;
  std::span<const std::string_view> values{};  // the only strings that the field can hold

  // How the value is read out of the struct: `describe.h` alone knows its type, `object_type.cpp` alone hands it
  // over.
  /// Writes the value. Where there is none: false, and nothing is written.
  bool (*write)(json::Writer& out, const Field& field, const void* view) = nullptr;
  /// Instead of `write`, for an object inside the struct: that object, null where there is none.
  const void* (*nested)(const void* view) = nullptr;
};

/// Whether an object of a type has all its fields, or may have any of them (and of those of its objects).
enum class Completeness : std::uint8_t { whole, parts };

struct ObjectType {
  std::string_view name;
  std::string_view description;
  std::span<const Field> fields;
  Completeness completeness = Completeness::whole;
};

/// A type whose objects are written from a `View`.
template <class View>
struct Type : ObjectType {};

/// The field that lists which of the returned ones are third-party data: it is always there (TRACK-3).
inline constexpr std::string_view kUntrustedFields = "untrusted_fields";

namespace erased {

/// REQUIRES: `view` points to the struct that the type was described for: `write_object` sees to that.
void write(json::Writer& out, const ObjectType& type, const void* view);
/// The same, and appends where the value of each field, and of each field of its objects, begins and ends. Below an
/// object that is null both are 0.
void write(json::Writer& out, const ObjectType& type, const void* view, std::vector<std::uint32_t>& offsets);

}  // namespace erased

/// Writes an object field by field. A field without a value is null, or left out where it is there `sometimes`.
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
