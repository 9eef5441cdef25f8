#include "catalog/writer/track_check.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "catalog/index/facets.h"
#include "catalog/storage/statement.h"
#include "json/writer.h"
#include "reflection/track_type.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

namespace bj = boost::json;

[[noreturn]] void damaged_track(std::uint32_t position, std::string_view what) {
  throw_damaged("track " + std::to_string(position) + ": " + std::string(what));
}

bj::string_view view(std::string_view text) { return {text.data(), text.size()}; }

// Returns the value at a dotted path; null if the path's parent is null or has no such member.
const bj::value* value_at(const bj::object& track, std::string_view path) {
  const std::size_t dot = path.find('.');
  const bj::value* value = track.if_contains(view(path.substr(0, dot)));
  if (dot == std::string_view::npos || value == nullptr) return value;
  const bj::object* parent = value->if_object();
  return parent == nullptr ? nullptr : parent->if_contains(view(path.substr(dot + 1)));
}

bool is_number(const CheckedTrack& track, std::string_view path, std::string_view expected) {
  const bj::value* value = value_at(track.parsed, path);
  boost::system::error_code code;
  const bj::value wanted = bj::parse(view(expected), code);
  return value != nullptr && !code && *value == wanted;
}

std::string decimal(std::uint64_t scaled, int digits) {
  json::Writer out;
  out.decimal(static_cast<std::int64_t>(scaled), digits);
  return out.take();
}

}  // namespace

std::string text_at(const CheckedTrack& track, std::string_view path) {
  const bj::value* value = value_at(track.parsed, path);
  if (value == nullptr || !value->is_string()) damaged_track(track.position, "no text at " + std::string(path));
  return std::string(value->get_string().data(), value->get_string().size());
}

std::string text_or_empty(const CheckedTrack& track, std::string_view path) {
  const bj::value* value = value_at(track.parsed, path);
  return value == nullptr || value->is_null() ? std::string() : text_at(track, path);
}

std::vector<std::string> tags_of(const CheckedTrack& track, Facet facet) {
  const bj::value* tags =
      value_at(track.parsed, "tags." + std::string(kFacetNames.at(static_cast<std::size_t>(facet))));
  if (tags == nullptr || !tags->is_array()) damaged_track(track.position, "it has no tags");
  std::vector<std::string> ids;
  for (const bj::value& tag : tags->get_array()) {
    if (!tag.is_string()) damaged_track(track.position, "a tag is not a string");
    ids.emplace_back(tag.get_string().data(), tag.get_string().size());
  }
  return ids;
}

bool has_category(const CheckedTrack& track) {
  const bj::value* value = value_at(track.parsed, "category");
  return value != nullptr && value->is_object();
}

std::vector<std::string> addresses_of(const CheckedTrack& track) {
  std::vector<std::string> addresses;
  for (const std::string_view path : {"source_page", "preview_url", "original_url"}) {
    std::string address = text_or_empty(track, path);
    if (!address.empty()) addresses.push_back(std::move(address));
  }
  return addresses;
}

bj::object parse_track(std::string_view json, std::uint32_t position) {
  boost::system::error_code code;
  bj::value value = bj::parse(view(json), code);
  if (code || !value.is_object()) damaged_track(position, "its JSON cannot be read");
  return std::move(value.get_object());
}

void check_offsets(const CheckedTrack& track) {
  const auto& paths = table::track_paths();
  if (track.rendered.offsets.size() != 2 * paths.size())
    damaged_track(track.position, "the number of offsets is wrong");
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::uint32_t begin = track.rendered.offsets[2 * i];
    const std::uint32_t end = track.rendered.offsets[2 * i + 1];
    if (begin > end || end > track.rendered.json.size()) damaged_track(track.position, "an offset is outside its JSON");
    const bj::value* value = value_at(track.parsed, paths[i]);
    if (value == nullptr) {
      if (end != 0) damaged_track(track.position, "it lacks " + paths[i]);
      continue;
    }
    boost::system::error_code code;
    const bj::value cut = bj::parse(view(track.rendered.json.substr(begin, end - begin)), code);
    if (code || cut != *value) damaged_track(track.position, "the offsets do not cut " + paths[i]);
  }
}

void check_partition(const CheckedTrack& track, const Layout& layout) {
  if (track.position >= layout.speech_end) return;
  const std::string kind = text_at(track, "kind");
  if ((kind == kKindNames[0]) != (track.position < layout.music_end))
    damaged_track(track.position, "it is in the partition of another kind");
  if (track.position < layout.music_end) return;
  const bool is_speech = has_category(track) && text_at(track, "category.top_id") == kSpeechGroup;
  if (is_speech != (track.position >= layout.effects_end))
    damaged_track(track.position, "it is in the wrong partition (speech)");
}

void check_columns(const CheckedTrack& track, const Columns& columns) {
  if (!is_number(track, "duration_s", decimal(columns.duration_ms[track.position], 3))) {
    damaged_track(track.position, "its duration differs from the column");
  }
  const std::uint32_t bpm = columns.bpm_hundredths[track.position];
  if (!is_number(track, "bpm", bpm == 0 ? "null" : decimal(bpm, 2))) {
    damaged_track(track.position, "its tempo differs from the column");
  }
  const Flags flags = decode_flags(columns.flags[track.position]);
  if (text_at(track, "license.id") != license(flags.license).name_id ||
      text_at(track, "attribution") != to_string(flags.attribution)) {
    damaged_track(track.position, "its license differs from its flags");
  }
  const std::string vocals = flags.vocals ? std::string(kVocalsNames.at(static_cast<std::size_t>(*flags.vocals))) : "";
  if (text_or_empty(track, "vocals") != vocals) damaged_track(track.position, "its vocals differ from its flags");
}

void check_neighbors(const CheckedTrack& track, const Layout& layout) {
  if (track.position >= layout.speech_end && !track.neighbors.empty()) {
    damaged_track(track.position, "it is taken down and has neighbors");
  }
  std::vector<std::uint32_t> sorted(track.neighbors.begin(), track.neighbors.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    damaged_track(track.position, "a neighbor is repeated");
  for (const auto neighbor : sorted) {
    if (neighbor == track.position) damaged_track(track.position, "it is its own neighbor");
    if (partition_at(neighbor, layout) != partition_at(track.position, layout))
      damaged_track(track.position, "a neighbor is of another partition");
  }
}

void add_expected_facets(const CheckedTrack& track, const Columns& columns, FacetPositions& expected) {
  const auto add = [&](std::string_view facet, std::string_view value) {
    auto& positions = expected[facet_key(facet, value)];
    if (positions.empty() || positions.back() != track.position) positions.push_back(track.position);
  };
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const std::string& tag : tags_of(track, static_cast<Facet>(facet))) add(kFacetNames.at(facet), tag);
  }
  const Flags flags = decode_flags(columns.flags[track.position]);
  const Kind kind = text_at(track, "kind") == kKindNames[0] ? Kind::music : Kind::sfx;
  add(kLengthFacet, kLengthNames[static_cast<std::size_t>(length_bucket(kind, columns.duration_ms[track.position]))]);
  if (flags.loop) add(kLoopFacet, kYes);
  if (columns.quality[track.position] >= kGoodQuality) add(kQualityFacet, kYes);
  add(kLicenseFacet, text_at(track, "license.id"));
  add(kAttributionFacet, text_at(track, "attribution"));
  if (has_category(track)) add(kCategoryFacet, text_at(track, "category.id"));
  const std::string artist = text_at(track, "artist");
  if (!artist.empty()) add(kCreatorFacet, text::fold_case(artist));
  if (flags.vocals) add(kVocalsFacet, kVocalsNames.at(static_cast<std::size_t>(*flags.vocals)));
  const bool is_playable =
      !text_or_empty(track, "preview_url").empty() || !text_or_empty(track, "original_url").empty();
  if (is_playable) add(kPlayableFacet, kYes);
}

void check_phrases(PhrasesBuilder& expected, std::string_view section) {
  bool is_same = true;
  expected.finish([&](std::string_view bytes) {
    is_same = is_same && section.starts_with(bytes);
    if (is_same) section.remove_prefix(bytes.size());
  });
  if (!is_same || !section.empty()) throw_damaged("the phrases differ from titles, artists and addresses");
}

bool is_expected_facet(std::string_view key) {
  const auto is_of = [&](std::string_view facet) {
    const std::string begin = facet_key(facet, {});
    return key.substr(0, begin.size()) == begin;
  };
  return !is_of(kEnergyFacet) && !is_of(kToneFacet) && !is_of(kSourceFacet);
}

}  // namespace tonearm::catalog
