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

Error seed_without_shuffle() { return {ErrorCode::invalid_parameter, "seed goes with sort=shuffle only.", 0, "seed"}; }

Response make_page(Call& call, const SearchQuery& query, const table::SearchArguments& arguments) {
  const Catalog& catalog = *call.catalog;
  FacetCounts facets;
  // Before the page: on a remote file, this fetches together what both need.
  if (!arguments.facets.empty()) facets = catalog.facet_counts(query, arguments.facets);
  const Page page = catalog.search(query);
  const std::vector<RenderedTrack> rendered = catalog.render(page.tracks);
  call.result_count = static_cast<std::uint32_t>(rendered.size());
  const ChosenFields tracks(rendered, arguments.fields, page.variants);

  const auto suggestions = suggest(catalog, call.values, page);
  table::PageView view{tracks.fields_of_each(), page.total};
  const std::uint64_t next = std::uint64_t{query.offset} + query.limit;
  if (next < page.total) view.cursor = next;
  if (page.words > 0) {
    view.matched = &page.matched;
    view.words = page.words;
  }
  // SEARCH-11
  if (!arguments.facets.empty()) {
    auto& creators = facets.of[static_cast<std::size_t>(CountedFacet::creator)];
    // SEARCH-13: omits ids that the parameter `creator` would not accept.
    const auto is_too_long = [](const ValueCount& it) { return text::code_points(it.id) > table::kCreatorMax; };
    if (creators) std::erase_if(*creators, is_too_long);
    view.facets = &facets;
  }
  if (suggestions) view.suggestions = &*suggestions;
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
  if (!query.seed.empty() && effective_sort(query.sort, catalog.has_words(query.q)) != Sort::shuffle) {
    return seed_without_shuffle();
  }
  if (const auto error = check_kind(call.values, query.kind)) return *error;
  if (auto fresh = not_modified(call)) return *fresh;

  return cached_answer(call, [&] { return make_page(call, query, arguments); });
}

}  // namespace tonearm::api
