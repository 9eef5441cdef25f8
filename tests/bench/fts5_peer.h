#pragma once
// Plain FTS5, as a good engineer would write it: one full-text table ranked by bm25, tables of tracks and tags with
// their indexes, and COUNT(*) for the total.

#include <memory>
#include <string>

#include "engine.h"
#include "feed.h"

namespace tonearm::bench {

/// Throws sql::Failure.
void build_fts5(const std::string& folder, const Feed& feed);
std::unique_ptr<Engine> open_fts5(const std::string& folder);

}  // namespace tonearm::bench
