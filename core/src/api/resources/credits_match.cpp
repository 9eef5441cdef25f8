// POST /v1/credits/match (CREDIT-12).

#include <algorithm>
#include <set>

#include "api/answers/file_matches.h"
#include "api/answers/track_facts.h"
#include "api/resources/handlers.h"
#include "domain/credits.h"
#include "table/file_match_answers.h"

namespace tonearm::api {

Answer answer_credits_match(Call& call, const table::FilesBody& body) {
  const auto matches = match_files(*call.catalog, body.files);
  table::FileMatchesView view;
  std::vector<CreditEntry> entries;
  std::set<std::uint32_t> credited;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    table::FileMatchView& file = view.files.emplace_back();
    file.name = body.files[i].name;
    if (!matches[i]) continue;
    const FileMatch& match = *matches[i];
    file.track = match.track.json;
    file.found_by = match.found_by;
    file.score = match.score;
    if (!credited.insert(match.position).second) continue;  // one credit for each track
    CreditEntry& entry = entries.emplace_back(credit_entry(license_record(match.track, call.catalog->version())));
    entry.position = static_cast<std::uint32_t>(entries.size() - 1);
  }
  view.credits = credits_text(entries);
  call.result_count = static_cast<std::uint32_t>(
      std::count_if(matches.begin(), matches.end(), [](const auto& match) { return match.has_value(); }));
  return json_response(200, table::kFileMatchesType, view);
}

}  // namespace tonearm::api
