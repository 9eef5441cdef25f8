#include "intake/same_recording.h"

#include <algorithm>
#include <string_view>

#include "values/names.h"

namespace tonearm::builder {
namespace {

constexpr std::uint64_t kDifferenceMsMax = 2000;
constexpr std::uint64_t kDifferenceDivisor = 20;  // a twentieth
constexpr std::uint64_t kCopyDifferenceMsMax = 2;

using SameDuration = bool (*)(std::uint64_t, std::uint64_t);

std::uint64_t difference(std::uint64_t one, std::uint64_t other) { return one < other ? other - one : one - other; }

bool are_copies(std::uint64_t one, std::uint64_t other) { return difference(one, other) <= kCopyDifferenceMsMax; }

std::string_view source_of(std::string_view id) { return id.substr(0, id.rfind('-')); }

/// A track and its duplicates.
struct Cluster {
  const RecordingRow* head = nullptr;
  std::vector<const RecordingRow*> tracks;

  bool accepts(const RecordingRow& row, SameDuration is_same_duration) const {
    if (!is_same_duration(head->duration_ms, row.duration_ms)) return false;
    const auto is_of_its_source = [&](const RecordingRow* other) { return source_of(other->id) == source_of(row.id); };
    if (!row.track)
      return !std::all_of(tracks.begin(), tracks.end(), is_of_its_source);  // the row only states a license
    return std::none_of(tracks.begin(), tracks.end(), is_of_its_source);
  }
};

bool precedes(const RecordingRow* one, const RecordingRow* other) {
  if (one->track.has_value() != other->track.has_value()) return one->track.has_value();
  if (one->priority != other->priority) return one->priority > other->priority;
  if (one->id != other->id) return one->id < other->id;
  return one->duration_ms < other->duration_ms;
}

/// Pairs the rows of one group. Rows that are kept come first.
void pair_up(std::vector<const RecordingRow*> rows, SameDuration is_same_duration, std::vector<SamePair>& pairs) {
  std::sort(rows.begin(), rows.end(), precedes);
  const auto is_repeated = [](const RecordingRow* one, const RecordingRow* other) {  // a track in several lists
    return one->id == other->id && one->duration_ms == other->duration_ms;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), is_repeated), rows.end());
  std::vector<Cluster> clusters;
  for (const auto* row : rows) {
    Cluster* nearest = nullptr;
    for (auto& cluster : clusters) {
      if (!cluster.accepts(*row, is_same_duration)) continue;
      const auto distance = difference(cluster.head->duration_ms, row->duration_ms);
      if (nearest == nullptr || distance < difference(nearest->head->duration_ms, row->duration_ms)) nearest = &cluster;
    }
    if (nearest != nullptr) {
      pairs.emplace_back(row, nearest->head);
      if (row->track) nearest->tracks.push_back(row);
    } else if (row->track) {
      clusters.push_back({row, {row}});
    }
  }
}

using Groups = std::unordered_map<std::string, std::vector<std::uint32_t>>;

/// Returns the keys in order, so that the order of pairs is fixed.
std::vector<const std::string*> sorted_keys(const Groups& groups) {
  std::vector<const std::string*> keys;
  keys.reserve(groups.size());
  for (const auto& [key, rows] : groups) keys.push_back(&key);
  std::sort(keys.begin(), keys.end(), [](const auto* one, const auto* other) { return *one < *other; });
  return keys;
}

}  // namespace

bool may_be_same_duration(std::uint64_t one_ms, std::uint64_t other_ms) {
  const auto distance = difference(one_ms, other_ms);
  return distance <= kDifferenceMsMax && distance <= std::max(one_ms, other_ms) / kDifferenceDivisor;
}

TrackPriority priority_of(const Track& track, bool is_original) {
  TrackPriority priority{track.taken_down, is_original, 0};
  for (const bool is_known :
       {!track.artist.empty(), !track.description.empty(), track.bpm_hundredths != 0, track.category.has_value(),
        track.energy.has_value(), track.tone.has_value(), track.quality != Track{}.quality, !track.source_page.empty(),
        !track.preview_url.empty() || !track.original_url.empty()}) {
    priority.facts += is_known ? 1U : 0U;
  }
  for (const auto& tags : track.tags) priority.facts += tags.empty() ? 0U : 1U;
  return priority;
}

void SameRecordings::add(const RowDescription& row) {
  const auto title = comparable_name(row.title);
  const auto artist = comparable_name(row.artist);
  const auto at = static_cast<std::uint32_t>(rows_.size());
  if (!title.empty() && !artist.empty()) by_name_[title + '\n' + artist].push_back(at);
  if (row.made_from.size() == 1) by_original_[row.made_from[0]].push_back(at);
  by_id_[row.id].push_back(at);
  rows_.push_back({row.id, row.duration_ms, row.made_from.empty(), std::nullopt, {}});
}

std::vector<SamePair> SameRecordings::pairs() const {
  std::vector<SamePair> pairs;
  for (const auto* key : sorted_keys(by_name_)) {
    std::vector<const RecordingRow*> rows;
    for (const auto at : by_name_.at(*key)) rows.push_back(&rows_[at]);
    if (rows.size() > 1) pair_up(std::move(rows), &may_be_same_duration, pairs);
  }
  for (const auto* key : sorted_keys(by_original_)) {
    std::vector<const RecordingRow*> rows;
    for (const auto at : by_original_.at(*key)) rows.push_back(&rows_[at]);
    if (const auto original = by_id_.find(*key); original != by_id_.end()) {
      for (const auto at : original->second) rows.push_back(&rows_[at]);
    }
    if (rows.size() > 1) pair_up(std::move(rows), &are_copies, pairs);
  }
  return pairs;
}

}  // namespace tonearm::builder
