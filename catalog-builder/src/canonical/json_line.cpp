#include "canonical/json_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "input/json_text.h"
#include "input/line_reader.h"
#include "text/unicode.h"
#include "values/decimal.h"

namespace tonearm::builder {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDepthMax = kLineBytesMax;  // no line can be nested more deeply

Rejection wrong_type(std::string_view key, std::string_view accepts) {
  return {Reason::wrong_type, std::string(key) + " must be " + std::string(accepts), {}};
}

using MaybeRejection = std::optional<Rejection>;

MaybeRejection read_text(dom::element value, std::string_view key, std::string_view accepts, std::string& out) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) return wrong_type(key, accepts);
  if (!text::is_utf8(text)) return Rejection{Reason::invalid_utf8, std::string(key) + " contains a lone surrogate", {}};
  out = text;
  return {};
}

MaybeRejection read_string(dom::element value, std::string_view key, std::string& out) {
  return read_text(value, key, "a string", out);
}

MaybeRejection read_optional_string(dom::element value, std::string_view key, std::optional<std::string>& out) {
  if (value.is_null()) return {};
  return read_text(value, key, "a string or null", out.emplace());
}

MaybeRejection read_boolean(dom::element value, std::string_view key, bool& out) {
  if (value.get_bool().get(out) != simdjson::SUCCESS) return wrong_type(key, "true or false");
  return {};
}

MaybeRejection read_number(dom::element value, std::string_view key, std::optional<std::string>& out) {
  switch (value.type()) {
    case dom::element_type::INT64:
      out = std::to_string(value.get_int64().value_unsafe());
      return {};
    case dom::element_type::UINT64:
      out = std::to_string(value.get_uint64().value_unsafe());
      return {};
    case dom::element_type::DOUBLE:
      out = decimal_text(value.get_double().value_unsafe());
      return {};
    case dom::element_type::NULL_VALUE:
      return {};
    default:
      return wrong_type(key, "a number");
  }
}

MaybeRejection read_strings(dom::element value, std::string_view key, std::vector<std::string>& out) {
  dom::array items;
  if (value.get_array().get(items) != simdjson::SUCCESS) return wrong_type(key, "an array of strings");
  for (const dom::element item : items) {
    if (auto rejection = read_text(item, key, "an array of strings", out.emplace_back())) return rejection;
  }
  return {};
}

/// Checks that the keys of an object are unique and valid Unicode.
MaybeRejection check_keys(dom::object fields) {
  std::set<std::string_view> keys;
  for (const auto field : fields) {
    if (!text::is_utf8(field.key)) return Rejection{Reason::invalid_utf8, "a key contains a lone surrogate", {}};
    if (keys.insert(field.key).second) continue;
    return Rejection{Reason::duplicate_key, "the key \"" + text::quotable(field.key) + "\" occurs twice", {}};
  }
  return {};
}

MaybeRejection read_tags(dom::element value, Line& line, KeyCounts& unknown_keys) {
  dom::object facets;
  if (value.get_object().get(facets) != simdjson::SUCCESS) return wrong_type("tags", "an object of arrays");
  if (auto rejection = check_keys(facets)) return rejection;
  for (const auto field : facets) {
    const auto* facet = std::find(kFacetNames.begin(), kFacetNames.end(), field.key);
    const std::string key = "tags." + std::string(field.key);
    if (facet == kFacetNames.end()) {
      ++unknown_keys[key];
      continue;
    }
    auto& ids = line.tags[static_cast<std::size_t>(facet - kFacetNames.begin())];
    if (auto rejection = read_strings(field.value, key, ids)) return rejection;
  }
  return {};
}

MaybeRejection read_neighbors(dom::element value, Line& line) {
  line.neighbors.emplace();
  return read_strings(value, "neighbors", *line.neighbors);
}

/// A key of the table of LINE-2, and the function that reads its value.
struct KeyRow {
  std::string_view name;
  MaybeRejection (*read)(dom::element value, std::string_view key, Line& line);
};

template <std::string Line::*Member>
MaybeRejection into_string(dom::element value, std::string_view key, Line& line) {
  return read_string(value, key, line.*Member);
}
template <std::optional<std::string> Line::*Member>
MaybeRejection into_optional(dom::element value, std::string_view key, Line& line) {
  return read_optional_string(value, key, line.*Member);
}
template <std::optional<std::string> Line::*Member>
MaybeRejection into_number(dom::element value, std::string_view key, Line& line) {
  return read_number(value, key, line.*Member);
}
template <bool Line::*Member>
MaybeRejection into_boolean(dom::element value, std::string_view key, Line& line) {
  return read_boolean(value, key, line.*Member);
}

/// Reads null as an empty text.
template <std::string Line::*Member>
MaybeRejection into_string_or_null(dom::element value, std::string_view key, Line& line) {
  std::optional<std::string> text;
  auto rejection = read_optional_string(value, key, text);
  line.*Member = text.value_or("");
  return rejection;
}

MaybeRejection into_neighbors(dom::element value, std::string_view /*key*/, Line& line) {
  return read_neighbors(value, line);
}

constexpr std::array<KeyRow, 27> kKeys{{
    {"id", into_string<&Line::id>},
    {"kind", into_string<&Line::kind>},
    {"title", into_optional<&Line::title>},
    {"artist", into_string<&Line::artist>},
    {"description", into_string_or_null<&Line::description>},
    {"duration_s", into_number<&Line::duration_s>},
    {"bpm", into_number<&Line::bpm>},
    {"vocals", into_optional<&Line::vocals>},
    {"key", into_optional<&Line::key>},
    {"loudness_lufs", into_number<&Line::loudness_lufs>},
    {"category", into_optional<&Line::category>},
    {"energy", into_optional<&Line::energy>},
    {"tone", into_optional<&Line::tone>},
    {"loop", into_boolean<&Line::loop>},
    {"quality", into_number<&Line::quality>},
    {"license", into_optional<&Line::license>},
    {"license_status", into_string<&Line::license_status>},
    {"credit_requested", into_boolean<&Line::credit_requested>},
    {"credit_as", into_string_or_null<&Line::credit_as>},
    {"content_id", into_optional<&Line::content_id>},
    {"source", into_string<&Line::source>},
    {"source_page", into_optional<&Line::source_page>},
    {"published", into_optional<&Line::published>},
    {"preview_url", into_optional<&Line::preview_url>},
    {"original_url", into_optional<&Line::original_url>},
    {"peaks_url", into_optional<&Line::peaks_url>},
    {"taken_down", into_boolean<&Line::taken_down>},
}};

/// Checks the required keys (LINE-2). In the evaluation profile, check.h substitutes missing values (BUILD-3).
MaybeRejection check_required_keys(dom::object fields, bool evaluation) {
  constexpr std::array<std::string_view, 4> kAlways{"id", "kind", "artist", "source"};
  constexpr std::array<std::string_view, 3> kUnlessEvaluation{"title", "duration_s", "license"};
  const auto is_missing = [&](std::string_view key) { return fields.at_key(key).error() != simdjson::SUCCESS; };
  for (const auto key : kAlways) {
    if (is_missing(key))
      return Rejection{Reason::key_missing, "the required key " + std::string(key) + " is missing", {}};
  }
  constexpr std::array<Reason, 3> kReasonOf{Reason::title_missing, Reason::duration_missing, Reason::license_missing};
  for (std::size_t i = 0; i < kUnlessEvaluation.size() && !evaluation; ++i) {
    const auto key = kUnlessEvaluation[i];
    if (is_missing(key)) return Rejection{kReasonOf[i], "the required key " + std::string(key) + " is missing", {}};
    if (fields.at_key(key).is_null()) return Rejection{kReasonOf[i], std::string(key) + " is null", {}};
  }
  return {};
}

MaybeRejection read_fields(dom::object fields, Line& line, KeyCounts& unknown_keys) {
  for (const auto field : fields) {
    if (field.key == "tags") {
      if (auto rejection = read_tags(field.value, line, unknown_keys)) return rejection;
      continue;
    }
    if (field.key == "neighbors") {
      if (auto rejection = into_neighbors(field.value, field.key, line)) return rejection;
      continue;
    }
    const auto* row = std::find_if(kKeys.begin(), kKeys.end(), [&](const KeyRow& k) { return k.name == field.key; });
    if (row == kKeys.end()) {
      ++unknown_keys[std::string(field.key)];
    } else if (auto rejection = row->read(field.value, field.key, line)) {
      return rejection;
    }
  }
  return {};
}

std::string id_of(dom::object fields) {
  std::string_view id;
  if (fields.at_key("id").get_string().get(id) != simdjson::SUCCESS) return {};
  return text::quotable(id);
}

/// Returns a number that no key accepts; unknown keys ignore it like any value (LINE-5).
std::string clamped_number(std::string_view number) { return number.front() == '-' ? "-1e308" : "1e308"; }

}  // namespace

struct JsonLineParser::State {
  dom::parser parser;
};

JsonLineParser::JsonLineParser(bool evaluation) : state_(std::make_unique<State>()), evaluation_(evaluation) {}
JsonLineParser::~JsonLineParser() = default;

std::variant<Line, Rejection> JsonLineParser::parse(const std::string& text, KeyCounts& unknown_keys) {
  auto& parser = state_->parser;
  if (parser.capacity() < text.size() || parser.max_depth() != kDepthMax) {
    const auto capacity = std::max<std::size_t>(text.size(), 4096);
    if (parser.allocate(capacity, kDepthMax) != simdjson::SUCCESS)
      return Rejection{Reason::invalid_json, "not enough memory", {}};
  }
  dom::element root;
  if (const auto error = parse_json(parser, text, clamped_number).get(root); error != simdjson::SUCCESS) {
    const bool utf8 = error == simdjson::UTF8_ERROR;
    return Rejection{utf8 ? Reason::invalid_utf8 : Reason::invalid_json, simdjson::error_message(error), {}};
  }
  dom::object fields;
  if (root.get_object().get(fields) != simdjson::SUCCESS) {
    return Rejection{Reason::not_an_object, "the line is not an object", {}};
  }
  Line line;
  auto rejection = check_keys(fields);
  if (!rejection) rejection = check_required_keys(fields, evaluation_);
  if (!rejection) rejection = read_fields(fields, line, unknown_keys);
  if (!rejection) return line;
  rejection->id = id_of(fields);
  return *rejection;
}

}  // namespace tonearm::builder
