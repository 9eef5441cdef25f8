#pragma once
// PostgreSQL's full-text search: a tsvector with a GIN index ranked by ts_rank, tags in an array with a GIN index,
// B-trees for the rest, count(*) for the total. The server starts and stops with the engine.

#include <memory>
#include <string>

#include "engine.h"
#include "feed.h"

namespace tonearm::bench {

/// Throws std::runtime_error.
void build_postgresql(const std::string& folder, const Feed& feed);
std::unique_ptr<Engine> open_postgresql(const std::string& folder);

}  // namespace tonearm::bench
