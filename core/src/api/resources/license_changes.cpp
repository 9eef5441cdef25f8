#include "api/resources/license_changes.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "api/answers/known_tracks.h"
#include "api/answers/track_facts.h"
#include "api/resources/handlers.h"
#include "table/license_change_answers.h"

namespace tonearm::api {
namespace {

/// How many tracks a call compares at most, if they are of more than one collection. Each track of a remote file may
/// cost the reading of a block: so there it is as many as one collection may have.
constexpr std::size_t kComparedMax = 20'000;
constexpr std::size_t kComparedMaxRemote = kCollectionTracksMax;

state::LicenseCheck compared(const state::UncheckedCollection& collection, const KnownTracks& known) {
  state::LicenseCheck check{collection.collection, {}};
  for (const state::RecordedTerms& item : collection.items) {
    const auto& found = known.at(item.track_id);
    if (!found) {
      check.changed.push_back({item.track_id, true});
    } else if (license_terms(found->track) != item.terms) {
      check.changed.push_back({item.track_id, false});
    }
  }
  return check;
}

void compare_and_keep(Call& call) {
  if (call.catalog == nullptr) return;
  const std::string& account = call.admitted.account;
  const std::size_t tracks_max = call.catalog->is_in_memory() ? kComparedMax : kComparedMaxRemote;
  auto some = call.collections.unchecked(account, call.catalog->version(), kComparedMax);
  std::unordered_set<std::string> ids;
  const auto is_too_much = [&](const state::UncheckedCollection& collection) {
    for (const state::RecordedTerms& item : collection.items) ids.insert(item.track_id);
    return ids.size() > tracks_max;
  };
  some.erase(std::find_if(some.begin(), some.end(), is_too_much), some.end());
  if (some.empty()) return;
  std::vector<std::string> wanted;
  for (const auto& collection : some) {
    for (const state::RecordedTerms& item : collection.items) wanted.push_back(item.track_id);
  }
  KnownTracks known(*call.catalog);
  known.learn(std::move(wanted));
  std::vector<state::LicenseCheck> checks;
  checks.reserve(some.size());
  for (const auto& collection : some) checks.push_back(compared(collection, known));
  if (!call.catalog->is_unchanged()) return;  // HOST-27: nothing is kept of bytes that were not checked
  call.collections.keep_checks(account, call.catalog->version(), checks);
}

}  // namespace

void compare_some_licenses(Call& call) {
  try {
    compare_and_keep(call);
  } catch (const Failure&) {
    // A state that takes no writes (RECORD-10) is read all the same, and so is one beside a catalog that cannot be
    // read.
  }
}

Answer answer_license_changes(Call& call, const table::LicenseChangesArguments& arguments) {
  compare_some_licenses(call);
  const auto page = call.collections.license_changes(call.admitted.account, call.catalog->version(), arguments.limit,
                                                     arguments.cursor);
  KnownTracks known(*call.catalog);
  std::vector<std::string> ids;
  for (const state::LicenseChange& change : page.changes) {
    if (!change.missing) ids.push_back(change.track_id);
  }
  known.learn(std::move(ids));
  table::LicenseChangesView view;
  view.total = page.total;
  view.unchecked = page.unchecked;
  const std::uint64_t next = std::uint64_t{arguments.cursor} + page.changes.size();
  if (next < page.total) view.cursor = std::to_string(next);
  view.changes.reserve(page.changes.size());
  for (const state::LicenseChange& change : page.changes) {
    table::LicenseChangeView& row = view.changes.emplace_back(table::LicenseChangeView{change, {}});
    if (change.missing) continue;
    // A file that was changed under the server may have lost the track; the call then ends as unavailable (HOST-27).
    if (const auto& found = known.at(change.track_id)) {
      row.current = license_record(found->track, call.catalog->version());
    }
  }
  call.result_count = static_cast<std::uint32_t>(view.changes.size());
  return json_response(200, table::kLicenseChangesType, view);
}

}  // namespace tonearm::api
