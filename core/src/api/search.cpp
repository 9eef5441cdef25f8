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

Response make_page(Call& call, const SearchQuery& query) {
  const Catalog& catalog = *call.catalog;
  const Page page = catalog.search(query);
  const std::vector<RenderedTrack> rendered = catalog.render(page.tracks);
  call.result_count = static_cast<std::uint32_t>(rendered.size());
  std::vector<std::string_view> tracks;
  tracks.reserve(rendered.size());
  std::vector<std::string> chosen;  // what `tracks` looks at, where only parts are asked for
  if (const Value* fields = call.values.find("fields")) {
    const Projection projection(fields->items);
    chosen.reserve(rendered.size());
    for (const RenderedTrack& track : rendered) tracks.push_back(chosen.emplace_back(projection.apply(track)));
  } else {
    for (const RenderedTrack& track : rendered) tracks.push_back(track.json);
  }

  std::vector<table::Suggestion> suggestions;
  if (page.total == 0) suggestions = suggest(catalog, call.values);
  table::PageView view{tracks, page.total};
  const std::uint64_t next = std::uint64_t{query.offset} + query.limit;
  if (next < page.total) view.cursor = next;
  if (page.total == 0) view.suggestions = &suggestions;
  return json_response(200, table::kSearchPageType, view);
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

  return cached_answer(call, [&] { return make_page(call, query); });
}

}  // namespace tonearm::api
