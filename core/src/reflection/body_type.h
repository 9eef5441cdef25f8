#pragma once
// JSON bodies of requests, each field declared once: the reader, its messages and the OpenAPI description come from
// these rows. `table/bodies.h` lists the bodies; `describe_bodies.h` makes the rows. A body fills a plain struct;
// members whose fields are absent keep their initial values.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "reflection/object_type.h"
#include "tonearm/calls.h"

namespace tonearm::table {

/// The rules for a string besides its length (COLLECTION-6, ITEM-9).
enum class BodyText : std::uint8_t {
  any,
  name,  // trimmed before it is measured and stored; no control or bidi-override characters
  note,  // no control characters except line breaks and tabs
  sha256,
  fingerprint,  // CREDIT-25
  web_address,
};

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// What a field accepts besides its type.
struct BodyRule {
  bool required = true;
  Nullable nullable = Nullable::no;
  std::int64_t min = 0;  // of code points (string), of the value (integer, number), of items (strings, objects)
  std::int64_t max = kUnbounded;
  std::int64_t item_min = 0;  // code points of each of `strings`
  std::int64_t item_max = kUnbounded;
  std::span<const std::string_view> values{};  // the only accepted strings
  BodyText text = BodyText::any;
  /// The name of another field. If that field is present, the value of this one is ignored.
  std::string_view ignored_beside{};
  /// Names by which people mean this field, separated by spaces: not accepted, but offered this one (ERROR-3).
  std::string_view aliases{};
};

struct BodyType;

struct BodyField : BodyRule {
  std::string_view name{};
  FieldType type = FieldType::string;  // string, integer, number, boolean, strings, object, objects
  std::string_view description{};
  std::string_view example{};
  const BodyType* object = nullptr;
  /// Stores a checked value in the struct of the body. Made by `describe_bodies.h`.
  void (*store)(void* body, const BodyField& field, const boost::json::value& value) = nullptr;
};

struct BodyType {
  std::span<const BodyField> fields{};
  std::span<const std::string_view> exactly_one_of{};
  std::span<const std::string_view> at_least_one_of{};
  std::size_t bytes_max = kBodyBytes;  // BODY-2
};
/// A type whose bodies fill a `View`.
template <class View>
struct Body : BodyType {};

namespace erased {

/// Stores the fields of a checked object in the struct that `type` describes.
void fill(void* body, const BodyType& type, const boost::json::object& object);

}  // namespace erased

}  // namespace tonearm::table
