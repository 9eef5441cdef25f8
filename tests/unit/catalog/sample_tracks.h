#pragma once
// Tracks for the catalog's tests.

#include <string>
#include <utility>
#include <vector>

#include "memory_catalog.h"
#include "tonearm/catalog.h"
#include "tonearm/track.h"

namespace tonearm::test {

inline Track music(std::string id, std::string title) {
  Track track;
  track.id = std::move(id);
  track.title = std::move(title);
  track.duration_ms = 180'000;
  track.source = "example.org";
  return track;
}

inline Track effect(std::string id, std::string title, std::string_view category = {}) {
  Track track = music(std::move(id), std::move(title));
  track.kind = Kind::sfx;
  track.duration_ms = 5'000;
  if (!category.empty()) track.category = find_category(category);
  return track;
}

/// Returns a search for tracks that have all of these words.
inline SearchQuery words(std::string q, Kind kind = Kind::music) {
  SearchQuery query;
  query.match = WordMatch::all;
  query.q = std::move(q);
  query.kind = kind;
  query.limit = 50;
  return query;
}

inline SearchQuery everything(Kind kind = Kind::music) { return words({}, kind); }

/// Returns the ids of the tracks at these positions.
inline std::vector<std::string> ids(const Catalog& catalog, const std::vector<std::uint32_t>& positions) {
  std::vector<std::string> found;
  for (const auto& track : catalog.render(positions)) found.push_back(id_of(track));
  return found;
}

inline std::vector<std::string> found(const Catalog& catalog, const SearchQuery& query) {
  const Page page = catalog.search(query);
  return ids(catalog, page.tracks);
}

using Ids = std::vector<std::string>;

}  // namespace tonearm::test
