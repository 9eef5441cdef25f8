#pragma once
// JSON bodies of requests, each field declared once: the reader, its messages and the OpenAPI description come from
// these rows. A body fills a plain struct, whose members keep their first values where their fields are not given.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/api_key.h"
#include "domain/collection.h"
#include "domain/plan.h"
#include "reflection/object_type.h"
#include "tonearm/calls.h"

namespace tonearm::table {

/// What a string may hold beside its length (COLLECTION-6, ITEM-9).
enum class BodyText : std::uint8_t {
  any,
  name,  // measured and kept once trimmed; no control or bidi-override character
  note,  // no control character but line breaks and tabs
  sha256,
  fingerprint,  // CREDIT-25
  web_address,
};

inline constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

/// What a field accepts beside its type.
struct BodyRule {
  bool required = true;
  Nullable nullable = Nullable::no;
  std::int64_t min = 0;  // of code points (string), of the value (integer, number), of items (strings, objects)
  std::int64_t max = kUnbounded;
  std::int64_t item_min = 0;  // code points of each of `strings`
  std::int64_t item_max = kUnbounded;
  std::span<const std::string_view> values{};  // the only strings that are accepted
  BodyText text = BodyText::any;
  /// Another field: where that one is given, this one's value is not looked at.
  std::string_view ignored_beside{};
};

struct BodyType;

struct BodyField : BodyRule {
  std::string_view name{};
  FieldType type = FieldType::string;  // string, integer, number, boolean, strings, object, objects
  std::string_view description{};
  std::string_view example{};
  const BodyType* object = nullptr;
  /// Puts a value that was checked into the struct of the body. Made by `describe_bodies.h`.
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

struct NoBody {};  // an object without fields
struct PlanBody {
  Plan plan = Plan::free;
};
struct SessionBody {
  std::int64_t ttl_s = kSessionSecondsMax;
};
struct CollectionBody {
  std::string name;
  bool commercial = false;
};
struct CollectionChangeBody {
  Settings settings;
  std::int64_t revision = 0;
};
struct ItemsBody {
  std::string track;
  std::optional<std::vector<std::string>> tracks;  // instead of `track`, and then without note and modifications
  std::string note;
  Modifications modifications;
  std::optional<std::int64_t> revision;
};
struct ItemChangeBody {
  ItemChange change;
  std::optional<std::int64_t> revision;
};
struct OrderBody {
  std::vector<std::string> tracks;
  std::optional<std::int64_t> revision;
};
/// A file whose track is looked for (CREDIT-12).
struct FileBody {
  std::string name;
  std::string url;                   // empty: not given
  std::string sha256;                // the same
  std::optional<double> duration_s;  // as JSON has it
  std::string fingerprint;           // the same as url
};
struct FilesBody {
  std::vector<FileBody> files;
};

extern const Body<NoBody> kNoBody;
extern const Body<PlanBody> kPlanBody;
extern const Body<SessionBody> kSessionBody;
extern const Body<CollectionBody> kCollectionBody;
extern const Body<CollectionChangeBody> kCollectionChangeBody;
extern const Body<ItemsBody> kItemsBody;
extern const Body<ItemChangeBody> kItemChangeBody;
extern const Body<OrderBody> kOrderBody;
extern const Body<FilesBody> kFilesBody;

/// What the field accepts, in plain words: "a string of 1 to 80 characters".
std::string accepts(const BodyField& field);

namespace erased {

/// Puts the fields of an object that was checked into the struct that the type was described for.
void fill(void* body, const BodyType& type, const boost::json::object& object);

}  // namespace erased

}  // namespace tonearm::table
