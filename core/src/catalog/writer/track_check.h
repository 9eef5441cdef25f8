#pragma once
// Checks of one rendered track against the columns and lists beside it, for verify_snapshot.

#include <boost/json/object.hpp>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/layout.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Positions by key of the section `terms`.
using FacetPositions = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;

struct CheckedTrack {
  std::uint32_t position = 0;
  RenderedTrack rendered;
  std::span<const std::uint32_t> neighbors;
  boost::json::object parsed;  // of the JSON
};

/// Each throws Failure that names what is wrong.
boost::json::object parse_track(std::string_view json, std::uint32_t position);
/// The text at a path of the track's JSON.
std::string text_at(const CheckedTrack& track, std::string_view path);
/// The same, or empty where it is null.
std::string text_or_empty(const CheckedTrack& track, std::string_view path);
/// Those that the track is found by.
std::vector<std::string> addresses_of(const CheckedTrack& track);
void check_offsets(const CheckedTrack& track);
void check_partition(const CheckedTrack& track, const Layout& layout);
void check_columns(const CheckedTrack& track, const Columns& columns);
void check_neighbors(const CheckedTrack& track, const Layout& layout);

/// Notes the facets that the track has by its JSON, its quality and its flags.
void add_expected_facets(const CheckedTrack& track, const Columns& columns, FacetPositions& expected);
/// Whether `add_expected_facets` notes a facet: of energy, tone and source the JSON says nothing.
bool is_expected_facet(std::string_view key);

}  // namespace tonearm::catalog
