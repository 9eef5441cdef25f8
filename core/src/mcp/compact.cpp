#include "mcp/compact.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "mcp/identifiers.h"
#include "table/arguments.h"
#include "text/unicode.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using std::string_view;
using table::Field;
using table::ObjectType;

struct CodePoints {
  char32_t first;
  char32_t last;
};

/// Direction marks, zero-width space and joiners of words, invisible operators, embeddings, overrides, isolates, the
/// byte-order mark, annotations, tags and the variation selectors beside them.
constexpr std::array<CodePoints, 8> kHidden{{{0x61c, 0x61c},
                                             {0x200b, 0x200b},
                                             {0x200e, 0x200f},
                                             {0x202a, 0x202e},
                                             {0x2060, 0x206f},
                                             {0xfeff, 0xfeff},
                                             {0xfff9, 0xfffb},
                                             {0xe0000, 0xe0fff}}};

bool is_hidden(char32_t c) {
  if (text::is_control(c)) return c != '\n' && c != '\t';
  return std::any_of(kHidden.begin(), kHidden.end(),
                     [c](const CodePoints& range) { return c >= range.first && c <= range.last; });
}

struct CompactType {
  string_view type;
  std::span<const string_view> fields;
};

constexpr std::array<string_view, 15> kTrack{
    "id",          "title",       "artist",       "kind",     "duration_s",
    "bpm",         "tags",        "license",      "terms",    "attribution",
    "source_page", "preview_url", "original_url", "variants", "untrusted_fields"};
constexpr std::array<string_view, 3> kLinks{"preview_url", "original_url", "source_page"};  // the best one is shown
constexpr std::array<string_view, 1> kName{"name"};
constexpr std::array<string_view, 6> kItem{"track_id", "track", "note", "modifications", "position", "license_changed"};
constexpr std::array<string_view, 3> kCreditsBlock{"required", "requested", "optional"};
constexpr std::array<string_view, 5> kCredits{"format", "collection", "text", "non_commercial", "untrusted_fields"};
constexpr std::array<string_view, 1> kId{"id"};
constexpr std::array<string_view, 2> kCategory{"id", "label"};

constexpr std::array<CompactType, 10> kCompactTypes{{{"Track", kTrack},
                                                     {"FoundTrack", kTrack},
                                                     {"TrackPart", kTrack},
                                                     {"CollectionItem", kItem},
                                                     {"CreditsBlock", kCreditsBlock},
                                                     {"Credits", kCredits},
                                                     {"License", kName},
                                                     {"FilterValue", kId},
                                                     {"CategoryValue", kCategory},
                                                     {"LicenseValue", kId}}};

// Limits of a compact track for texts and lists that sources can make arbitrarily long.
constexpr std::size_t kCompactNameMax = 120;  // code points of a title or an artist
constexpr std::size_t kCompactTagsMax = 12;   // of a facet

bool is_track(string_view type) { return compact_fields(type).data() == kTrack.data(); }
bool is_name(string_view field) { return field == "title" || field == "artist"; }
bool is_link(string_view field) { return std::find(kLinks.begin(), kLinks.end(), field) != kLinks.end(); }

void write_truncated(json::Writer& out, string_view text) {
  const std::string clean = clean_text(text);
  const string_view begin = text::first_code_points(clean, kCompactNameMax);
  out.string(begin.size() == clean.size() ? clean : std::string(begin) + "\u2026");
}

void write_tags(json::Writer& out, const js::array& tags) {
  out.begin_array();
  for (std::size_t i = 0; i < std::min(tags.size(), kCompactTagsMax); ++i) {
    write_clean(out, tags[i], nullptr, Detail::full);
  }
  out.end_array();
}

bool contains(std::span<const string_view> names, string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

bool is_empty_list(const js::value& value) { return value.is_array() && value.get_array().empty(); }

/// SERVICE-3: writes a plain decimal, if that has at most six decimals and is exact. Numbers in answers are; others,
/// which only arguments may have, are written as boost::json does.
void write_number(json::Writer& out, const js::value& value) {
  constexpr int kDigits = 6;
  constexpr double kScale = 1e6;
  constexpr double kScaledMax = 9e15;  // integers below it are exact
  const double scaled = value.get_double() * kScale;
  const bool is_small = scaled > -kScaledMax && scaled < kScaledMax;
  const std::int64_t rounded = is_small ? std::llround(scaled) : 0;
  if (is_small && static_cast<double>(rounded) / kScale == value.get_double()) return out.decimal(rounded, kDigits);
  out.raw(js::serialize(value));
}

/// Returns the first address of a track at which a person can listen to it, or else its page at the source.
string_view listening_link(const js::object& track) {
  for (const string_view name : kLinks) {
    const auto* link = track.if_contains(name);
    if (link != nullptr && link->is_string()) return name;
  }
  return {};
}

/// Returns whether a compact object omits the member.
bool is_omitted(const js::object& object, const js::key_value_pair& member, const ObjectType& type) {
  const string_view name = member.key();
  if (!contains(compact_fields(type.name), name)) return true;
  if (omits_empty_lists(type.name) && is_empty_list(member.value())) return true;
  return is_track(type.name) && is_link(name) && name != listening_link(object);
}

/// Writes a value of a query string in the JSON type of its argument.
void write_argument(json::Writer& out, const table::Parameter& row, string_view value) {
  using Type = table::ParameterType;
  switch (row.type) {
    case Type::boolean:
    case Type::boolean_01:
      return out.boolean(value == "true" || value == "1");
    case Type::digits:
    case Type::decimal:
      return out.raw(value);
    case Type::choices:
    case Type::tags:
    case Type::domains:
    case Type::words:
    case Type::paths:
    case Type::ids:
      out.begin_array();
      while (!value.empty()) {
        const string_view item = value.substr(0, value.find(','));
        out.string(clean_text(item));
        value.remove_prefix(std::min(value.size(), item.size() + 1));
      }
      return out.end_array();
    default:
      return out.string(clean_text(value));
  }
}

/// Writes the parameters of a suggestion as arguments of search_tracks (MCP-7).
void write_suggested_arguments(json::Writer& out, const js::object& parameters) {
  out.begin_object();
  for (const auto& [name, value] : parameters) {
    out.key(name);
    const auto& rows = table::kSearchParameters.query;
    const auto row =
        std::find_if(rows.begin(), rows.end(), [key = name](const table::Parameter& it) { return it.name == key; });
    write_argument(out, *row, value.as_string());
  }
  out.end_object();
}

void write_untrusted_fields(json::Writer& out, const js::array& fields, std::span<const string_view> kept) {
  out.begin_array();
  for (const js::value& field : fields) {
    if (contains(kept, string_view(field.get_string()))) out.string(string_view(field.get_string()));
  }
  out.end_array();
}

void write_member(json::Writer& out, const js::key_value_pair& member, const ObjectType& type, Detail detail) {
  const string_view name = member.key();
  const js::value& value = member.value();
  const bool is_compact = detail == Detail::compact;
  if (const string_view identifier = identifier_of(type.name, name); !identifier.empty()) {
    out.key(identifier);
    write_clean(out, value, nullptr, detail);
  }
  out.key(name);
  if (is_compact && name == table::kUntrustedFields && value.is_array()) {
    return write_untrusted_fields(out, value.get_array(), compact_fields(type.name));
  }
  if (is_compact && is_track(type.name) && is_name(name) && value.is_string()) {
    return write_truncated(out, string_view(value.get_string()));
  }
  if (is_compact && omits_empty_lists(type.name) && value.is_array()) return write_tags(out, value.get_array());
  if (type.name == "Suggestion" && value.is_object()) return write_suggested_arguments(out, value.get_object());
  const auto row =
      std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& it) { return it.name == name; });
  write_clean(out, value, row == type.fields.end() ? nullptr : row->object, detail);
}

void write_members(json::Writer& out, const js::object& object, const ObjectType* type, Detail detail) {
  out.begin_object();
  for (const js::key_value_pair& member : object) {
    if (type == nullptr) {
      out.key(clean_text(member.key()));
      write_clean(out, member.value(), nullptr, detail);
    } else if (detail == Detail::full || !is_omitted(object, member, *type)) {
      write_member(out, member, *type, detail);
    }
  }
  out.end_object();
}

}  // namespace

std::string clean_text(string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!is_hidden(text::next_code_point(text, at))) clean += text.substr(begin, at - begin);
  }
  return clean;
}

void write_clean(json::Writer& out, const js::value& value, const ObjectType* type, Detail detail) {
  switch (value.kind()) {
    case js::kind::object:
      return write_members(out, value.get_object(), type, detail);
    case js::kind::array:
      out.begin_array();
      for (const js::value& item : value.get_array()) write_clean(out, item, type, detail);
      return out.end_array();
    case js::kind::string:
      return out.string(clean_text(string_view(value.get_string())));
    case js::kind::int64:
      return out.integer(value.get_int64());
    case js::kind::uint64:
      return out.raw(std::to_string(value.get_uint64()));
    case js::kind::double_:
      return write_number(out, value);
    case js::kind::bool_:
      return out.boolean(value.get_bool());
    case js::kind::null:
      return out.null();
  }
}

std::span<const string_view> compact_fields(string_view type) {
  const auto row = std::find_if(kCompactTypes.begin(), kCompactTypes.end(),
                                [type](const CompactType& it) { return it.type == type; });
  return row == kCompactTypes.end() ? std::span<const string_view>{} : row->fields;
}

bool omits_empty_lists(string_view type) { return type == "Tags"; }

}  // namespace tonearm::mcp
