#pragma once
// Xapian: words ranked by its BM25, filters as boolean terms and ranges of values, exact totals, tracks as the
// documents' data. Documents are added in the order of the default shuffle.

#include <memory>
#include <string>

#include "engine.h"
#include "feed.h"

namespace tonearm::bench {

/// Throws std::runtime_error.
void build_xapian(const std::string& folder, const Feed& feed);
std::unique_ptr<Engine> open_xapian(const std::string& folder);

}  // namespace tonearm::bench
