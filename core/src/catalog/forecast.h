#pragma once
// Asks for what a call will read of a file that is fetched by blocks, in as few journeys as possible. Nothing depends
// on it but time: what it leaves out is fetched when it is read. Where the file lies in memory it does nothing.

#include <span>
#include <string>

#include "catalog/match.h"
#include "catalog/phrases.h"
#include "catalog/query_words.h"
#include "catalog/sections.h"
#include "catalog/term_index.h"
#include "catalog/tokenizer.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// What opening a catalog reads first: its tables, and where the sections are.
void expect_opening(const SnapshotFile& file);
/// The sections, and what opening reads of them.
Sections open_sections(const SnapshotFile& file);

/// The terms and phrases of a search.
void expect_search(const SnapshotFile& file, const TermIndex& index, const PhraseIndex& phrases,
                   const SearchQuery& query, std::span<const Word> words, std::span<const WordGroup> groups,
                   Scores scores);

/// What tells whether these tracks pass.
void expect_filters(const Filters& filters, const Columns& columns, std::span<const std::uint32_t> positions);

}  // namespace tonearm::catalog
