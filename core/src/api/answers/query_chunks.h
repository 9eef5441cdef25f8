#pragma once
// The words of `q` as they were typed, for suggestions that drop or respell some of them (SUGGEST-5). Pure,
// thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// A piece of `q` between white space, commas and similar separators: "sci-fi" is one chunk of two terms. A synonym's
/// phrase is one chunk with all its terms.
struct QueryChunk {
  std::string_view text;               // of `q`
  std::vector<std::uint32_t> clauses;  // of its terms, in order; empty: the chunk is only punctuation
  bool is_required = false;            // false: function words, which exclude nothing
  bool known = true;                   // false: there is a term that no track has
  bool is_of_negation = false;         // "no" or "without", or an unwanted word after it
};

/// Splits `q` into chunks. REQUIRES: `terms` are those of `q`; `q` outlives the chunks.
std::vector<QueryChunk> split_chunks(std::string_view q, std::span<const Catalog::QueryTerm> terms);

/// A replacement for a word of `q`.
struct Respelling {
  std::size_t begin = 0;  // byte offset in `q`
  std::size_t end = 0;
  std::string text;
};

/// Returns `part` with its words replaced. REQUIRES: `part` is a part of `q`; respellings are sorted by offset.
std::string respell(std::string_view q, std::string_view part, std::span<const Respelling> respellings);

/// Returns `q` without the dropped chunks and without chunks of punctuation.
std::string without_chunks(std::string_view q, std::span<const QueryChunk> chunks, const std::vector<bool>& dropped,
                           std::span<const Respelling> respellings);

}  // namespace tonearm::api
