#include "api/collection_detail.h"

#include "api/track_facts.h"
#include "table/answers.h"

namespace tonearm::api {

CollectionDetail::CollectionDetail(const state::StoredCollection& stored, KnownTracks& tracks) {
  view_.summary = stored.summary();
  const auto& items = stored.value.items;
  tracks.learn(stored.value);
  view_.items.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    table::ItemView view{items[i], i};
    if (const auto& found = tracks.at(items[i].track_id)) {
      const LicenseTerms now = license_terms(found->track);
      view.track = found->track.json;
      view.license_changed = now != items[i].record.terms;
      if (!now.commercial) non_commercial_now_.insert(items[i].track_id);
    }
    view_.items.push_back(view);
  }
}

std::set<std::string> CollectionDetail::non_commercial_now() const { return non_commercial_now_; }

std::vector<CreditEntry> CollectionDetail::credit_entries() const {
  std::vector<CreditEntry> entries;
  entries.reserve(view_.items.size());
  for (const table::ItemView& view : view_.items) {
    const LicenseRecord& record = view.item.record;
    CreditEntry entry;
    entry.position = static_cast<std::uint32_t>(view.position);
    entry.track_id = view.item.track_id;
    entry.title = record.title;
    entry.artist = record.artist;
    entry.source_page = record.source_page;
    entry.license = find_license(record.terms.license_id).value_or(LicenseId::unknown);
    entry.license_status = record.license_status;
    entry.attribution = record.terms.attribution;
    entry.modifications = view.item.modifications;
    entry.license_changed = view.license_changed;
    entry.recorded_s = record.recorded_s;
    entry.note = view.item.note;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string CollectionDetail::json() const { return to_json(table::kCollectionType, view_); }

std::string CollectionDetail::json_with(const table::CreditsBlock& credits) const {
  table::CollectionView view = view_;
  view.credits = &credits;
  return to_json(table::kCollectionWithCreditsType, view);
}

std::string CollectionDetail::json_with(const std::vector<AddedTrack>& results) const {
  table::CollectionView view = view_;
  view.results = &results;
  return to_json(table::kCollectionWithResultsType, view);
}

}  // namespace tonearm::api
