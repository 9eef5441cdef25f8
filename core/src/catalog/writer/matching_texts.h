#pragma once
// The texts that searches read and no answer shows: tidied titles and tags that fit no facet (SEARCH-3). They are the
// table `matching_texts` of a snapshot, which only programs that review a snapshot read.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tonearm/track.h"

struct sqlite3;

namespace tonearm::catalog {

struct MatchingText {
  std::string title;  // empty: that of the track
  std::string words;  // separated by line feeds
};

MatchingText matching_text(const Track& track);

/// Returns the titles of a track that phrases are made of: its own, and the tidied one if there is one.
std::vector<std::string> titles_of(std::string title, const MatchingText& matching);

/// Writes the row of a track that has such texts. REQUIRES: each position is written once.
void write_matching_text(sqlite3* database, std::uint32_t position, const MatchingText& text);

/// Reads the rows by position. Throws CatalogDamaged for a row of a missing track or without a text.
std::map<std::uint32_t, MatchingText> read_matching_texts(sqlite3* database, std::uint32_t searchable_count);

}  // namespace tonearm::catalog
