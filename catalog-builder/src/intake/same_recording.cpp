#include "intake/same_recording.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "tracks/record_encoding.h"
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
void pair_up(const std::vector<RecordingRow>& group, SameDuration is_same_duration, std::vector<SamePair>& pairs) {
  std::vector<const RecordingRow*> rows;
  rows.reserve(group.size());
  for (const auto& row : group) rows.push_back(&row);
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
      pairs.emplace_back(*row, *nearest->head);
      if (row->track) nearest->tracks.push_back(row);
    } else if (row->track) {
      clusters.push_back({row, {row}});
    }
  }
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
  const auto name = title.empty() || artist.empty() ? std::string() : title + '\n' + artist;
  if (row.made_from.size() == 1) by_original_[row.made_from[0]].push_back(static_cast<std::uint32_t>(rows_.size()));
  const std::vector<std::string> texts{row.id, name};
  rows_.push_back({std::hash<std::string>()(name), texts_.append(encode(texts)), row.duration_ms, !name.empty(),
                   row.made_from.empty()});
}

SameRecordings::Identity SameRecordings::identity_of(std::uint32_t row) const {
  auto texts = decode<std::vector<std::string>>(texts_.read(rows_[row].identity));
  return {std::move(texts[0]), std::move(texts[1])};
}

/// Returns the groups of several rows. Reads only rows whose hash is not unique.
SameRecordings::Groups SameRecordings::groups_by_name() const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].has_name) order.push_back(row);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(rows_[a].name_hash, a) < std::tie(rows_[b].name_hash, b);
  });
  Groups groups;
  for (auto first = order.begin(); first != order.end();) {
    const auto hash = rows_[*first].name_hash;
    const auto end = std::find_if(first, order.end(), [&](std::uint32_t row) { return rows_[row].name_hash != hash; });
    const bool is_group = end - first > 1;
    for (; is_group && first != end; ++first) groups[identity_of(*first).name].push_back(*first);
    first = end;
  }
  return groups;
}

/// Returns the rows that were made only from a recording, and the rows of that recording, by its id.
SameRecordings::Groups SameRecordings::groups_by_original() const {
  Groups groups = by_original_;
  for (std::uint32_t row = 0; row < rows_.size() && !groups.empty(); ++row) {
    const auto found = groups.find(identity_of(row).id);
    if (found != groups.end()) found->second.push_back(row);
  }
  return groups;
}

std::vector<RecordingRow> SameRecordings::read(const std::vector<std::uint32_t>& rows,
                                               const FindTrack& find_track) const {
  std::vector<RecordingRow> result;
  for (const auto row : rows) {
    result.push_back({identity_of(row).id, rows_[row].duration_ms, rows_[row].is_original, std::nullopt, {}});
    find_track(result.back());
  }
  return result;
}

std::vector<SamePair> SameRecordings::pairs(const FindTrack& find_track) const {
  std::vector<SamePair> pairs;
  for (const auto& [name, rows] : groups_by_name()) {
    if (rows.size() > 1) pair_up(read(rows, find_track), &may_be_same_duration, pairs);
  }
  for (const auto& [original, rows] : groups_by_original()) {
    if (rows.size() > 1) pair_up(read(rows, find_track), &are_copies, pairs);
  }
  return pairs;
}

void SameRecordings::clear() {
  rows_ = {};
  by_original_ = {};
}

}  // namespace tonearm::builder
