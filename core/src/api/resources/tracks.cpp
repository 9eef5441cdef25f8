// GET /v1/tracks, /v1/tracks/{id} and /v1/tracks/{id}/similar (TRACK-5, TRACK-7, SIMILAR-1).

#include "api/resources/tracks.h"
#include "api/answers/projection.h"
#include "api/requests/search_parameters.h"
#include "api/resources/handlers.h"
#include "table/answers.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

Error track_not_found(const std::string& id) {
  return {ErrorCode::not_found, "There is no track with the id \"" + text::quotable(id) + "\"."};
}

}  // namespace

Result<std::uint32_t> find_track(const Call& call, const std::string& id) {
  if (const auto position = call.catalog->find(id)) return *position;
  return track_not_found(id);
}

Answer answer_track(Call& call, const table::TrackArguments& arguments) {
  const auto position = find_track(call, arguments.id);
  if (!position) return position.error();
  if (auto fresh = not_modified(call)) return *fresh;
  call.result_count = 1;
  return json_response(200, std::string(call.catalog->render({&*position, 1}).front().json));
}

Answer answer_tracks(Call& call, const table::TracksArguments& arguments) {
  if (auto fresh = not_modified(call)) return *fresh;
  const Catalog& catalog = *call.catalog;
  std::vector<RenderedTrack> found;
  std::vector<std::string> missing;
  const auto tracks = catalog.look_up(arguments.ids);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i]) {
      found.push_back(tracks[i]->track);
    } else {
      missing.push_back(arguments.ids[i]);
    }
  }
  call.result_count = static_cast<std::uint32_t>(found.size());
  const ChosenFields chosen(found, arguments.fields);
  return json_response(200, table::kTracksType, table::TracksView{chosen.fields_of_each(), std::move(missing)});
}

Answer answer_similar(Call& call, const table::SimilarArguments& arguments) {
  const auto filters = to_filters(arguments.filters);
  if (!filters) return filters.error();
  const auto position = find_track(call, arguments.id);
  if (!position) return position.error();
  if (auto fresh = not_modified(call)) return *fresh;

  const Page page = call.catalog->similar(*position, *filters, arguments.limit, arguments.cursor);
  std::vector<std::string_view> tracks;
  for (const RenderedTrack& track : call.catalog->render(page.tracks)) tracks.push_back(track.json);
  call.result_count = static_cast<std::uint32_t>(tracks.size());
  table::PageView view{tracks, page.total};
  const std::uint64_t next = std::uint64_t{arguments.cursor} + arguments.limit;
  if (next < page.total) view.cursor = next;
  return json_response(200, table::kSimilarPageType, view);
}

}  // namespace tonearm::api
