#pragma once
// Checks a rendered track against its columns and lists, for verify_snapshot. Every function throws CatalogDamaged that
// says what is wrong.

#include <boost/json/object.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/index/phrases.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Positions by key of the section `terms`.
using FacetPositions = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

struct CheckedTrack {
  std::uint32_t position = 0;
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;
  boost::json::object parsed;  // from the JSON
};

/// Parses the JSON of a track.
boost::json::object parse_track(std::string_view json, std::uint32_t position);
/// Returns the text at a path of the track's JSON.
std::string text_at(const CheckedTrack& track, std::string_view path);
/// Returns the text at a path, or an empty text if it is null.
std::string text_or_empty(const CheckedTrack& track, std::string_view path);
/// Returns the ids of the track's tags of a facet.
std::vector<std::string> tags_of(const CheckedTrack& track, Facet facet);
bool has_category(const CheckedTrack& track);
/// Returns the addresses that the track is found by.
std::vector<std::string> addresses_of(const CheckedTrack& track);
void check_offsets(const CheckedTrack& track);
void check_partition(const CheckedTrack& track, const Layout& layout);
void check_columns(const CheckedTrack& track, const Columns& columns);
void check_neighbors(const CheckedTrack& track, const Layout& layout);

/// Compares the section with the phrases of all tracks.
void check_phrases(PhrasesBuilder& expected, std::string_view section);

/// Adds the track to the facets that follow from its JSON, quality and flags.
void add_expected_facets(const CheckedTrack& track, const Columns& columns, FacetPositions& expected);
/// Whether `add_expected_facets` adds this facet. Energy, tone and source are not in the JSON.
bool is_expected_facet(std::string_view key);

}  // namespace tonearm::catalog
