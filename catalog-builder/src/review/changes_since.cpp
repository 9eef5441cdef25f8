#include "review/changes_since.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "reflection/track_type.h"
#include "review/license_values.h"

namespace tonearm::builder {
namespace {

class ChangeFinder {
 public:
  explicit ChangeFinder(const OpenedSnapshot& before)
      : before_(before), is_in_new_(before.catalog().track_count(), false) {}

  void add(const Track& track) {
    const auto json = table::render_track(track, {});
    const RenderedTrack after{json.json, json.offsets};
    const auto position = before_.catalog().find(track.id);
    if (!position) {
      if (!track.taken_down) append(ChangeKind::added, track.id, {}, license_.id(after));
      return;
    }
    is_in_new_[*position] = true;
    const RenderedTrack before = before_.track(*position);
    const auto append_both = [&](ChangeKind kind) { append(kind, track.id, license_.id(before), license_.id(after)); };
    const bool was_down = before_.catalog().is_taken_down(*position);
    if (track.taken_down != was_down) {
      append_both(track.taken_down ? ChangeKind::taken_down : ChangeKind::restored);
    } else if (!was_down && license_.differ(before, after)) {  // a track that stays down has no license to rely on
      append_both(ChangeKind::license_changed);
    }
  }

  VersionChanges finish() {
    for (std::uint32_t position = 0; position < is_in_new_.size(); ++position) {
      if (is_in_new_[position]) continue;
      const RenderedTrack before = before_.track(position);
      append(ChangeKind::removed, text_of(id_.of(before)), license_.id(before), {});
    }
    std::sort(changes_.begin(), changes_.end(), [](const CatalogChange& a, const CatalogChange& b) {
      return std::tie(a.kind, a.track_id) < std::tie(b.kind, b.track_id);
    });
    return {before_.catalog().version(), std::move(changes_)};
  }

 private:
  void append(ChangeKind kind, std::string id, std::string before, std::string after) {
    changes_.push_back({kind, std::move(id), std::move(before), std::move(after)});
  }

  const OpenedSnapshot& before_;
  const TrackPath id_{"id"};
  const LicenseValues license_;
  std::vector<bool> is_in_new_;  // by position
  std::vector<CatalogChange> changes_;
};

}  // namespace

VersionChanges changes_since(const OpenedSnapshot& before, const TrackReader& tracks) {
  ChangeFinder finder(before);
  for (std::uint32_t i = 0; i < tracks.size(); ++i) finder.add(tracks.read(i));
  return finder.finish();
}

std::vector<VersionChanges> known_changes(const OpenedSnapshot& snapshot) {
  std::vector<VersionChanges> log;
  for (std::string& version : snapshot.catalog().known_versions()) log.push_back({std::move(version), {}});
  if (log.empty()) return log;
  std::size_t at = 0;
  auto all = snapshot.catalog().changes(log.front().since, std::uint32_t{kKnownChangesMax}, 0).value();
  for (ChangesPage::Entry& entry : all.entries) {
    // A change belongs to the last version before the first one that has it.
    while (at + 1 < log.size() && log[at + 1].since != entry.version) ++at;
    log[at].changes.push_back(std::move(entry.change));
  }
  return log;
}

std::size_t drop_oldest(std::vector<VersionChanges>& log) {
  std::size_t changes = 0;
  auto first = log.end();
  while (first != log.begin() && static_cast<std::size_t>(log.end() - first) < kKnownVersionsMax) {
    changes += std::prev(first)->changes.size();
    if (changes > kKnownChangesMax) break;
    --first;
  }
  const auto dropped = static_cast<std::size_t>(first - log.begin());
  log.erase(log.begin(), first);
  return dropped;
}

}  // namespace tonearm::builder
