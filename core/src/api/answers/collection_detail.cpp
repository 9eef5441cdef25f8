#include "api/answers/collection_detail.h"

#include "api/answers/track_facts.h"
#include "table/answers.h"
#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::api {
namespace {

constexpr std::string_view kMinimal = "return=minimal";

bool prefers_minimal(const Call& call) {
  for (const Header& header : call.request.head.headers) {
    if (!is_named(header, "Prefer")) continue;
    if (const auto wanted = http_fields::preference(header.value, "return")) {
      return ascii::equals_ignoring_case(*wanted, "minimal");
    }
  }
  return false;
}

}  // namespace

CollectionDetail::CollectionDetail(const state::StoredCollection& stored, CollectionLookup& tracks) {
  view_.summary = stored.summary();
  const auto& items = stored.value.items;
  tracks.load(stored.value);
  tracks.store(stored.value);
  view_.items.reserve(items.size());
  std::size_t license_changed = 0;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    table::ItemView view{items[i], i};
    if (const auto& found = tracks.at(items[i].track_id)) {
      const LicenseTerms now = license_terms(found->track);
      view.track = found->track.json;
      view.license_changed = now != items[i].record.terms;
      if (view.license_changed) ++license_changed;
      if (!now.commercial) non_commercial_now_.insert(items[i].track_id);
    } else {
      ++missing;
    }
    view_.items.push_back(view);
  }
  view_.summary.license_changed = license_changed;
  view_.summary.missing = missing;
}

std::set<std::string> CollectionDetail::non_commercial_now() const { return non_commercial_now_; }

std::vector<CreditEntry> CollectionDetail::credit_entries() const {
  std::vector<CreditEntry> entries;
  entries.reserve(view_.items.size());
  for (const table::ItemView& view : view_.items) {
    const LicenseRecord& record = view.item.record;
    CreditEntry entry = credit_entry(record);
    entry.position = static_cast<std::uint32_t>(view.position);
    entry.track_id = view.item.track_id;
    entry.modifications = view.item.modifications;
    entry.license_changed = view.license_changed;
    entry.note = view.item.note;
    entry.non_commercial = entry.non_commercial || non_commercial_now_.contains(entry.track_id);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string CollectionDetail::json_with_credits(const table::CreditsBlock& credits) const {
  table::CollectionView view = view_;
  view.credits = &credits;
  return to_json(table::kCollectionWithCreditsType, view);
}

Response CollectionDetail::response_to_write(const Call& call, int status,
                                             const std::vector<AddedTrack>* results) const {
  table::CollectionView view = view_;
  view.results = results;
  if (!prefers_minimal(call)) return json_response(status, table::kCollectionWithResultsType, view);
  Response response = json_response(status, table::kSummaryWithResultsType, view);
  response.headers.push_back({"Preference-Applied", std::string(kMinimal)});
  return response;
}

}  // namespace tonearm::api
