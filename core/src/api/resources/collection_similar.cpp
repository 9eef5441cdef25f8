// GET /v1/collections/{id}/similar (SIMILAR-3 to SIMILAR-6).

#include <algorithm>

#include "api/requests/search_parameters.h"
#include "api/resources/handlers.h"
#include "table/answers.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

Error seed_not_in_collection(const std::string& seed) {
  return {ErrorCode::invalid_parameter,
          "seeds must be tracks of the collection; it has no track \"" + text::quotable(seed) + "\".", 0, "seeds"};
}

/// SIMILAR-6, CHECK-12: returns an error for the first seed that is not in the collection.
std::optional<Error> check_seeds(const std::vector<std::string>& seeds, const std::vector<std::string>& members) {
  for (const std::string& seed : seeds) {
    if (std::find(members.begin(), members.end(), seed) != members.end()) continue;
    return seed_not_in_collection(seed);
  }
  return std::nullopt;
}

}  // namespace

Answer answer_collection_similar(Call& call, const table::CollectionSimilarArguments& arguments) {
  auto query = to_merge_query(arguments);
  if (!query) return query.error();
  const auto found = call.collections.find(call.admitted.account, arguments.id);
  if (!found) return found.error();
  std::vector<std::string> members;
  for (const CollectionItem& item : found->value.items) members.push_back(item.track_id);
  if (const auto error = check_seeds(query->seeds, members)) return *error;
  if (query->seeds.empty()) {
    const auto count = std::min<std::size_t>(members.size(), table::kSimilarSeedsMax);
    query->seeds.assign(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(count));
  }
  if (!arguments.include_members) query->excluded = std::move(members);
  query->hide_non_commercial = found->value.commercial;

  const Page page = call.catalog->merge_similar(*query);
  std::vector<std::string_view> tracks;
  for (const RenderedTrack& track : call.catalog->render(page.tracks)) tracks.push_back(track.json);
  call.result_count = static_cast<std::uint32_t>(tracks.size());
  table::PageView view{tracks, page.total};
  const std::uint64_t next = std::uint64_t{query->offset} + query->limit;
  if (next < page.total) view.cursor = next;
  return json_response(200, table::kSimilarPageType, view);
}

}  // namespace tonearm::api
