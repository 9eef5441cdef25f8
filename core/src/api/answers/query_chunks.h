#pragma once
// The words of `q` as they were typed, for suggestions that leave some of them out (SUGGEST-5). Pure, thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// What stands between white space, commas and the like: "sci-fi" is one chunk of two terms. A synonym's phrase is one
/// chunk with all of its terms.
struct QueryChunk {
  std::string_view text;               // of `q`
  std::vector<std::uint32_t> clauses;  // of its terms, in their order; none: punctuation alone
  bool narrows = false;                // false: function words, which exclude nothing
  bool known = true;                   // false: no track has one of its terms
};

/// REQUIRES: `terms` are those of `q`, which outlives the chunks.
std::vector<QueryChunk> split_chunks(std::string_view q, std::span<const Catalog::QueryTerm> terms);

/// A word of `q` that is written in another way.
struct Respelling {
  std::size_t begin = 0;  // where it is in `q`, in bytes
  std::size_t end = 0;
  std::string text;  // instead
};

/// `part` with what is written in another way. REQUIRES: a part of `q`; respellings in their order.
std::string respelled(std::string_view q, std::string_view part, std::span<const Respelling> respellings);

/// `q` without some of its chunks, those of punctuation among them.
std::string without_chunks(std::string_view q, std::span<const QueryChunk> chunks, const std::vector<bool>& left_out,
                           std::span<const Respelling> respellings);

}  // namespace tonearm::api
