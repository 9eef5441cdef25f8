#include "api/resources/license_changes.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "api/answers/track_facts.h"
#include "api/answers/track_lookup.h"
#include "api/resources/handlers.h"
#include "table/change_answers.h"

namespace tonearm::api {
namespace {

// The most tracks that a call compares, if they are in more than one collection. Each track of a remote catalog may
// require reading a block, so there the bound is the size of one collection.
constexpr std::size_t kComparedMax = 20'000;
constexpr std::size_t kComparedMaxRemote = kCollectionTracksMax;

state::LicenseCheck compare(const state::UncheckedCollection& collection, const TrackLookup& tracks) {
  state::LicenseCheck check{collection.collection, {}};
  for (const state::RecordedTerms& item : collection.items) {
    const auto& found = tracks.at(item.track_id);
    if (!found) {
      check.changed.push_back({item.track_id, true});
    } else if (license_terms(found->track) != item.terms) {
      check.changed.push_back({item.track_id, false});
    }
  }
  return check;
}

void compare_and_save(Call& call) {
  if (call.catalog == nullptr) return;
  const std::string& account = call.admitted.account;
  const std::size_t tracks_max = call.catalog->is_in_memory() ? kComparedMax : kComparedMaxRemote;
  auto unchecked = call.collections.unchecked(account, call.catalog->revision(), kComparedMax);
  std::unordered_set<std::string> distinct_ids;
  const auto exceeds_bound = [&](const state::UncheckedCollection& collection) {
    for (const state::RecordedTerms& item : collection.items) distinct_ids.insert(item.track_id);
    return distinct_ids.size() > tracks_max;
  };
  unchecked.erase(std::find_if(unchecked.begin(), unchecked.end(), exceeds_bound), unchecked.end());
  if (unchecked.empty()) return;
  std::vector<std::string> ids;
  for (const auto& collection : unchecked) {
    for (const state::RecordedTerms& item : collection.items) ids.push_back(item.track_id);
  }
  TrackLookup tracks(*call.catalog);
  tracks.load(std::move(ids));
  std::vector<state::LicenseCheck> checks;
  checks.reserve(unchecked.size());
  for (const auto& collection : unchecked) checks.push_back(compare(collection, tracks));
  if (!call.catalog->is_unchanged()) return;  // HOST-27: nothing is stored from bytes that were not verified
  call.collections.save_checks(account, call.catalog->revision(), checks);
}

}  // namespace

void update_license_checks(Call& call) {
  try {
    compare_and_save(call);
  } catch (const Failure&) {
    // Reading the state continues, even if it cannot be written (RECORD-10) or the catalog cannot be read.
  }
}

Answer answer_license_changes(Call& call, const table::LicenseChangesArguments& arguments) {
  update_license_checks(call);
  const auto page = call.collections.license_changes(call.admitted.account, call.catalog->revision(), arguments.limit,
                                                     arguments.cursor);
  TrackLookup tracks(*call.catalog);
  std::vector<std::string> ids;
  for (const state::LicenseChange& change : page.changes) {
    if (!change.missing) ids.push_back(change.track_id);
  }
  tracks.load(std::move(ids));
  table::LicenseChangesView view;
  view.total = page.total;
  view.unchecked = page.unchecked;
  const std::uint64_t next = std::uint64_t{arguments.cursor} + page.changes.size();
  if (next < page.total) view.cursor = std::to_string(next);
  view.changes.reserve(page.changes.size());
  for (const state::LicenseChange& change : page.changes) {
    table::LicenseChangeView& row = view.changes.emplace_back(table::LicenseChangeView{change, {}});
    if (change.missing) continue;
    // If the file was changed while the server uses it, the track may be missing. The call is then answered with
    // `unavailable` (HOST-27).
    if (const auto& found = tracks.at(change.track_id)) {
      row.current = license_record(found->track, call.catalog->version());
    }
  }
  call.result_count = static_cast<std::uint32_t>(view.changes.size());
  return json_response(200, table::kLicenseChangesType, view);
}

}  // namespace tonearm::api
