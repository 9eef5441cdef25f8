#pragma once
// The types of answers, each field declared once. From these rows come the JSON writers, the `fields`
// paths, the OpenAPI description and the reference page.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "tonearm/catalog.h"
#include "tonearm/track.h"

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
  FieldType type;
  Nullable nullable;
  Trust trust;
  std::string_view description;
  std::string_view example;  // as JSON; empty where `object` gives it
  const ObjectType* object = nullptr;
  std::span<const std::string_view> values{};  // the only strings that the field can hold
  /// Writes the value out of the object that this field's type describes (null for types that are
  /// written by hand); for a nested object, nothing when the object is null.
  void (*write)(json::Writer& out, const void* owner) = nullptr;
  bool (*is_null)(const void* owner) = nullptr;
  Presence presence = Presence::always;
};

/// Whether an object of a type has all its fields, or may have any of them (and of those of its objects).
enum class Completeness : std::uint8_t { whole, parts };

struct ObjectType {
  std::string_view name;
  std::string_view description;
  std::span<const Field> fields;
  Completeness completeness = Completeness::whole;
};

/// A Track as it is written: the track, and what a catalog adds to it.
struct TrackView {
  const Track& track;
  std::string_view site_url;
};

extern const ObjectType kTrackType;
/// A Track, or the parts of it that the parameter `fields` names.
extern const ObjectType kTrackPartType;

/// The field that lists which of the returned ones are third-party data: it is always there (C4.13).
inline constexpr std::string_view kUntrustedFields = "untrusted_fields";

/// Values of a license's `credit`.
inline constexpr std::array<std::string_view, 2> kCreditNames{"none", "required"};

/// Writes an object of that type field by field; fields that are `sometimes` there and null are left out.
void write_object(json::Writer& out, const ObjectType& type, const void* owner);

/// Every path that `fields` accepts, parents before their children, in the order of the type:
/// "id", ..., "tags", "tags.genre", ... Constant, thread-safe.
const std::vector<std::string>& track_paths();

/// The JSON of a track with the place of every path in it.
struct TrackJson {
  std::string json;
  std::vector<std::uint32_t> offsets;  // as in RenderedTrack
};
TrackJson render_track(const Track& track, std::string_view site_url);

}  // namespace tonearm::table
