#pragma once
// The types of answers about tracks and the catalog, and the structs with their values.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domain/plan.h"
#include "reflection/object_type.h"
#include "tonearm/catalog.h"
#include "tonearm/result.h"

namespace tonearm::table {

struct ErrorView {
  const Error& error;
  std::optional<Window> limit = std::nullopt;  // 429
  std::int64_t resets_ms = 0;                  // 429, Unix milliseconds
};

/// SUGGEST-3. One concrete relaxation of a search that found nothing or did not match all words.
struct Suggestion {
  std::string message;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::uint64_t total = 0;
};

struct PageView {
  const std::vector<std::string_view>& tracks;  // as JSON
  std::uint64_t total = 0;
  std::optional<std::uint64_t> cursor = std::nullopt;
  const std::vector<Page::TierTotal>* matched = nullptr;  // null: omitted
  std::optional<std::uint32_t> words = std::nullopt;      // absent: omitted
  const FacetCounts* facets = nullptr;                    // null: omitted
  const std::vector<Suggestion>* suggestions = nullptr;   // null: omitted
};

/// Tracks requested by their ids.
struct TracksView {
  std::vector<std::string_view> tracks;  // as JSON
  std::vector<std::string> missing;
};

struct MetaView {
  const CatalogValues& values;
  const std::vector<CreatorCount>& creators;
};

struct CompletionsView {
  std::vector<Completion> completions;
};

struct StateView {
  std::string_view status;
};

extern const Type<ErrorView> kErrorType;
extern const Type<PageView> kSearchPageType;
extern const Type<PageView> kSimilarPageType;
extern const Type<TracksView> kTracksType;
extern const Type<MetaView> kMetaType;
extern const Type<CompletionsView> kCompletionsType;
extern const Type<StateView> kStateType;

}  // namespace tonearm::table
