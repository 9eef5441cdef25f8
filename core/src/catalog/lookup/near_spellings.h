#pragma once
// Finds spellings close to a misspelled word or creator (SUGGEST-6 to SUGGEST-8). One round of reads on a remote file.

#include <string>
#include <vector>

#include "catalog/query/fetch.h"

namespace tonearm::catalog {

/// The parameters of a lookup.
struct NearQuery {
  Kind kind = Kind::music;
  std::size_t limit = 1;
};

/// Returns words within the edits that SUGGEST-5 allows: fewest edits first, then most tracks of the kind, then by
/// bytes. Returns none if the word itself is stored. `folded`: as the tokenizer folds it.
std::vector<std::string> near_words(std::string_view folded, const NearQuery& query, const Index& index,
                                    const Fetcher& fetcher);
/// Returns creators in the same way; none if the catalog has this creator.
std::vector<std::string> near_creators(std::string_view name, const NearQuery& query, const Index& index,
                                       const Fetcher& fetcher);

}  // namespace tonearm::catalog
