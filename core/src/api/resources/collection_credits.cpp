// GET /v1/collections/{id}/credits (docs/spec/credits.md).

#include "api/answers/collection_detail.h"
#include "api/resources/handlers.h"
#include "table/credits_answers.h"
#include "table/credits_files.h"

namespace tonearm::api {
namespace {

/// CREDIT-1: all formats except JSON are answered as a file with a name.
Response file_response(const table::CreditsFile& file, const std::string& collection,
                       const std::vector<CreditEntry>& entries, const CreditsOptions& options) {
  Response response = json_response(200, file.write(entries, options));
  response.headers[0].value = file.media_type;
  if (file.media_type.starts_with("text/")) response.headers[0].value += "; charset=utf-8";
  response.headers.push_back({"Content-Disposition", "attachment; filename=\"credits-" + collection + '.' +
                                                         std::string(file.extension) + '"'});
  return response;
}

Response json_credits(const Call& call, const state::StoredCollection& stored, std::vector<CreditEntry> entries,
                      const CreditsOptions& options) {
  sort_credits(entries);
  const state::CollectionSummary summary = stored.summary();
  table::CreditsView view{summary, call.catalog->version(),        call.admitted.began_ms,
                          {},      credits_text(entries, options), count_non_commercial(entries)};
  for (const CreditEntry& entry : entries) view.credits.push_back({entry, stored.value.items[entry.position].record});
  return json_response(200, table::kCreditsType, view);
}

}  // namespace

Answer answer_credits(Call& call, const table::CreditsArguments& arguments) {
  const auto found = call.collections.find(call.admitted.account, arguments.id);
  if (!found) return found.error();
  CollectionLookup tracks(call);
  std::vector<CreditEntry> entries = CollectionDetail(*found, tracks).credit_entries();
  call.result_count = static_cast<std::uint32_t>(entries.size());
  const CreditsOptions options{arguments.heading};
  if (arguments.format == 0) return json_credits(call, *found, std::move(entries), options);
  return file_response(table::kCreditsFiles.at(arguments.format - 1), found->value.id, entries, options);
}

}  // namespace tonearm::api
