// POST /v1/credits/match (CREDIT-12).

#include <algorithm>
#include <set>

#include "api/file_matches.h"
#include "api/handlers.h"
#include "api/track_facts.h"
#include "domain/credits.h"
#include "table/file_match_answers.h"

namespace tonearm::api {
namespace {

/// As of an item that was added just now, unchanged.
CreditEntry credit_entry(const RenderedTrack& track, std::string_view catalog_version) {
  LicenseRecord record = license_record(track, catalog_version);
  CreditEntry entry;
  entry.title = std::move(record.title);
  entry.artist = std::move(record.artist);
  entry.source_page = std::move(record.source_page);
  entry.license = find_license(record.terms.license_id).value_or(LicenseId::unknown);
  entry.license_status = record.license_status;
  entry.attribution = record.terms.attribution;
  entry.non_commercial = !record.terms.commercial;
  return entry;
}

}  // namespace

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
    if (!credited.insert(match.position).second) continue;
    CreditEntry& entry = entries.emplace_back(credit_entry(match.track, call.catalog->version()));
    entry.position = static_cast<std::uint32_t>(entries.size() - 1);
  }
  view.credits = credits_text(entries);
  call.result_count = static_cast<std::uint32_t>(
      std::count_if(matches.begin(), matches.end(), [](const auto& match) { return match.has_value(); }));
  return json_response(200, table::kFileMatchesType, view);
}

}  // namespace tonearm::api
