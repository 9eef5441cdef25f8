#pragma once
// The queries of a run: each is a line of the data file with its names filled in.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "names.h"
#include "tonearm/search.h"

namespace tonearm::bench {

struct Query {
  std::string query_class;  // for reports
  std::string target;       // "/v1/search?q=bano"; `{new}` in it is replaced by a new value in each call
  /// Its parameters; nothing if no peer supports the query.
  std::optional<SearchQuery> search;
};

/// The classes of the mix.
inline constexpr std::array<std::string_view, 4> kMix{"rare", "middling", "common", "filters"};
bool in_mix(const Query& query);
/// The class of the same queries with match=most.
inline constexpr std::string_view kMixOfMost = "mix, most words";
/// The class of those of them that have words, with match=auto.
inline constexpr std::string_view kMixOfAuto = "mix, by default";
/// The class of the same queries with counts of three facets.
inline constexpr std::string_view kMixOfFacets = "mix, three facets";

/// Whether a search has words.
bool has_words(const Query& query);

/// Reads lines {"class", "query", "path"?}. A search whose line names no `match` is one of match=all. `{common:3}` in a
/// query or path is the third name of the list `common`, wrapping around in small catalogs. Appends the mix with
/// match=most, with match=auto and with facets. Throws std::runtime_error with file and line.
std::vector<Query> read_queries(const std::string& path, const Names& names);

/// Parses the parameters of a search from its target, which is a peer's first step. Throws std::runtime_error.
SearchQuery parse_target(std::string_view target);

/// Returns the target of the call with that number. If the query uses `{new}`, every number gives another target.
std::string target_of(const Query& query, std::uint64_t call);

}  // namespace tonearm::bench
