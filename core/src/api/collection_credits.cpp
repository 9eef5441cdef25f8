// GET /v1/collections/{id}/credits (catalog-api; C6.15).

#include "api/call.h"
#include "api/collection_detail.h"
#include "table/credits_answers.h"

namespace tonearm::api {
namespace {

using table::CreditsFormat;

CreditsFormat format_of(const Call& call) {
  const Value* format = call.values.find("format");
  return format == nullptr ? CreditsFormat::json : static_cast<CreditsFormat>(format->chosen.front());
}

/// C6.15: all but JSON is a file with a name.
Response file_response(std::string_view media_type, const std::string& file_name, std::string body) {
  Response response = json_response(200, std::move(body));
  response.headers[0].value = std::string(media_type) + "; charset=utf-8";
  response.headers.push_back({"Content-Disposition", "attachment; filename=\"" + file_name + '"'});
  return response;
}

Response json_credits(const Call& call, const state::StoredCollection& stored, std::vector<CreditEntry> entries) {
  sort_credits(entries);
  const state::CollectionSummary summary = stored.summary();
  table::CreditsView view{summary, call.catalog->version(), call.admitted.began_ms, {}, credits_text(entries)};
  for (const CreditEntry& entry : entries) view.credits.push_back({entry, stored.value.items[entry.position].record});
  return json_response(200, table::kCreditsType, view);
}

}  // namespace

Answer answer_credits(Call& call) {
  const auto found = call.collections.find(call.admitted.account, call.arguments[0]);
  if (!found) return found.error();
  KnownTracks known(*call.catalog);
  std::vector<CreditEntry> entries = CollectionDetail(*found, known).credit_entries();
  call.result_count = static_cast<std::uint32_t>(entries.size());
  const std::string name = "credits-" + found->value.id;
  switch (format_of(call)) {
    case CreditsFormat::text:
      return file_response("text/plain", name + ".txt", credits_text(entries));
    case CreditsFormat::markdown:
      return file_response("text/markdown", name + ".md", credits_markdown(entries));
    case CreditsFormat::csv:
      return file_response("text/csv", name + ".csv", credits_csv(entries));
    case CreditsFormat::json:
      break;
  }
  return json_credits(call, *found, std::move(entries));
}

}  // namespace tonearm::api
