// GET /v1/search (catalog-api; C4).

#include "api/call.h"
#include "api/projection.h"
#include "api/search_parameters.h"
#include "api/suggestions.h"
#include "table/answers.h"

namespace tonearm::api {
namespace {

/// catalog-api, `sort`: relevance when q is set, else shuffle; a q without any word counts as none (C4.4).
Sort sort_in_force(const Catalog& catalog, const SearchQuery& query) {
  if (query.sort) return *query.sort;
  return !query.q.empty() && catalog.has_words(query.q) ? Sort::relevance : Sort::shuffle;
}

}  // namespace

Answer answer_search(Call& call) {
  const SearchQuery query = to_search_query(call.values);
  if (!query.q.empty()) call.search_text = query.q;
  const Catalog& catalog = *call.catalog;
  // C4.6
  if (!query.seed.empty() && sort_in_force(catalog, query) != Sort::shuffle) {
    return Error{ErrorCode::invalid_parameter, "seed goes with sort=shuffle only."};
  }
  if (const auto error = check_kind(call.values, query.kind)) return *error;
  if (auto fresh = not_modified(call)) return *fresh;

  const Page page = catalog.search(query);
  const Value* fields = call.values.find("fields");
  const Projection projection(fields == nullptr ? std::vector<std::string>{} : fields->items);
  std::vector<std::string> tracks;
  for (const RenderedTrack& track : catalog.render(page.tracks)) tracks.push_back(projection.apply(track));
  call.result_count = static_cast<std::uint32_t>(tracks.size());

  std::vector<table::Suggestion> suggestions;
  if (page.total == 0) suggestions = suggest(catalog, call.values);
  table::PageView view{tracks, page.total};
  const std::uint64_t next = std::uint64_t{query.offset} + query.limit;
  if (next < page.total) view.cursor = next;
  if (page.total == 0) view.suggestions = &suggestions;
  return json_response(200, table::kSearchPageType, view);
}

}  // namespace tonearm::api
