#pragma once
// JSON bodies of requests, each field declared once: the reader, its messages and the OpenAPI description come from
// these rows.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "table/types.h"

namespace tonearm::table {

/// What a string may hold beside its length (C6.7).
enum class BodyText : std::uint8_t {
  any,
  name,  // measured once trimmed; no control or bidi-override character
  note,  // no control character but line breaks and tabs
};

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

struct BodyType;

struct BodyField {
  std::string_view name;
  FieldType type;  // string, integer, boolean, strings, object
  bool required = true;
  Nullable nullable = Nullable::no;
  std::int64_t min = 0;  // of code points (string), of the value (integer), of items (strings)
  std::int64_t max = kUnbounded;
  std::int64_t item_min = 0;  // code points of each of `strings`
  std::int64_t item_max = kUnbounded;
  std::span<const std::string_view> values{};  // the only strings that are accepted
  BodyText text = BodyText::any;
  const BodyType* object = nullptr;
  /// Another field: where that one is given, this one's value is not looked at.
  std::string_view ignored_beside{};
  std::string_view description;
  std::string_view example;
};

struct BodyType {
  std::span<const BodyField> fields{};
  std::span<const std::string_view> exactly_one_of{};
  std::span<const std::string_view> at_least_one_of{};
};

extern const BodyType kNoBody;  // an object without fields
extern const BodyType kPlanBody;
extern const BodyType kSessionBody;
extern const BodyType kCollectionBody;
extern const BodyType kCollectionChangeBody;
extern const BodyType kItemsBody;
extern const BodyType kItemChangeBody;
extern const BodyType kOrderBody;

/// What the field accepts, in plain words: "a string of 1 to 80 characters".
std::string accepts(const BodyField& field);

}  // namespace tonearm::table
