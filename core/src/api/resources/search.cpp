// GET /v1/search (docs/spec/search.md).

#include "api/answers/projection.h"
#include "api/answers/suggestions.h"
#include "api/requests/search_parameters.h"
#include "api/resources/handlers.h"
#include "reflection/parameters.h"
#include "table/answers.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

/// SORT-1: relevance when q is set, else shuffle. A q without any word counts as none (SEARCH-6).
Sort sort_in_force(const Catalog& catalog, const SearchQuery& query) {
  if (query.sort) return *query.sort;
  return !query.q.empty() && catalog.has_words(query.q) ? Sort::relevance : Sort::shuffle;
}

Response make_page(Call& call, const SearchQuery& query, const table::SearchArguments& arguments) {
  const Catalog& catalog = *call.catalog;
  const Page page = catalog.search(query);
  const std::vector<RenderedTrack> rendered = catalog.render(page.tracks);
  call.result_count = static_cast<std::uint32_t>(rendered.size());
  const ChosenFields tracks(rendered, arguments.fields, page.variants);

  // SUGGEST-1, MOST-5
  const bool holds_all = page.words == 0 || (!page.matched.empty() && page.matched.front().words == page.words);
  const bool suggests = page.total == 0 || !holds_all;
  std::vector<table::Suggestion> suggestions;
  if (suggests)
    suggestions = suggest(catalog, call.values, page.total == 0 ? FoundSoFar::nothing : FoundSoFar::some_words);
  table::PageView view{tracks.of_each(), page.total};
  const std::uint64_t next = std::uint64_t{query.offset} + query.limit;
  if (next < page.total) view.cursor = next;
  if (page.words > 0) {
    view.matched = &page.matched;
    view.words = page.words;
  }
  // SEARCH-11
  FacetCounts facets;
  if (!arguments.facets.empty()) {
    facets = catalog.facet_counts(query, arguments.facets);
    auto& creators = facets.of[static_cast<std::size_t>(CountedFacet::creator)];
    // SEARCH-13: an id that its parameter takes.
    const auto is_too_long = [](const ValueCount& it) { return text::code_points(it.id) > table::kCreatorMax; };
    if (creators) std::erase_if(*creators, is_too_long);
    view.facets = &facets;
  }
  if (suggests) view.suggestions = &suggestions;
  return json_response(200, table::kSearchPageType, view);
}

}  // namespace

Answer answer_search(Call& call, const table::SearchArguments& arguments) {
  if (!arguments.query.q.empty()) call.search_text = arguments.query.q;
  const auto checked = to_search_query(arguments);
  if (!checked) return checked.error();
  const SearchQuery& query = *checked;
  const Catalog& catalog = *call.catalog;
  // SORT-4
  if (!query.seed.empty() && sort_in_force(catalog, query) != Sort::shuffle) {
    return Error{ErrorCode::invalid_parameter, "seed goes with sort=shuffle only."};
  }
  if (const auto error = check_kind(call.values, query.kind)) return *error;
  if (auto fresh = not_modified(call)) return *fresh;

  return cached_answer(call, [&] { return make_page(call, query, arguments); });
}

}  // namespace tonearm::api
