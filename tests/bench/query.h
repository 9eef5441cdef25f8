#pragma once
// The questions of a run: a line of the data file each, its names filled in.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "names.h"
#include "tonearm/search.h"

namespace tonearm::bench {

struct Query {
  std::string query_class;  // what it is reported with
  std::string target;       // "/v1/search?q=bano"; `{new}` in it stands for something else at each call
  /// Its parameters; none where no peer has a form of the question.
  std::optional<SearchQuery> search;
};

/// The classes that make up the mix.
inline constexpr std::array<std::string_view, 4> kMix{"rare", "middling", "common", "filters"};
bool in_mix(const Query& query);
/// The class of the same queries with match=most.
inline constexpr std::string_view kMixOfMost = "mix, most words";
/// The class of the same queries with counts of three facets.
inline constexpr std::string_view kMixOfFacets = "mix, three facets";

/// Reads lines {"class", "query", "path"?}; `{common:3}` in a query or path stands for the third name of
/// the list `common`, counted round where a small catalog has fewer. Appends the mix with match=most, and with facets.
/// Throws std::runtime_error with file and line.
std::vector<Query> read_queries(const std::string& path, const Names& names);

/// What a peer does first: the parameters of a search from its target. Throws std::runtime_error.
SearchQuery parse_target(std::string_view target);

/// The target of the call of that number, which no other number has where the query asks for that.
std::string target_of(const Query& query, std::uint64_t call);

}  // namespace tonearm::bench
