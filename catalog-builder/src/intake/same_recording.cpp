#include "intake/same_recording.h"

#include <algorithm>
#include <string_view>

#include "values/names.h"

namespace tonearm::builder {
namespace {

constexpr std::uint64_t kApartMsMax = 2000;
constexpr std::uint64_t kApartShareMax = 20;  // a twentieth
constexpr std::uint64_t kCopyApartMsMax = 2;

using Close = bool (*)(std::uint64_t, std::uint64_t);

std::uint64_t apart(std::uint64_t one, std::uint64_t other) { return one < other ? other - one : one - other; }

bool are_copies(std::uint64_t one, std::uint64_t other) { return apart(one, other) <= kCopyApartMsMax; }

std::string_view source_of(std::string_view id) { return id.substr(0, id.rfind('-')); }

/// A track and those that are the same as it.
struct Cluster {
  const Described* head = nullptr;
  std::vector<const Described*> tracks;

  bool takes(const Described& row, Close are_close) const {
    if (!are_close(head->duration_ms, row.duration_ms)) return false;
    const auto is_of_its_source = [&](const Described* other) { return source_of(other->id) == source_of(row.id); };
    if (!row.track) return !std::all_of(tracks.begin(), tracks.end(), is_of_its_source);  // it only states a license
    return std::none_of(tracks.begin(), tracks.end(), is_of_its_source);
  }
};

bool stands_before(const Described* one, const Described* other) {
  if (one->track.has_value() != other->track.has_value()) return one->track.has_value();
  if (one->standing != other->standing) return one->standing > other->standing;
  if (one->id != other->id) return one->id < other->id;
  return one->duration_ms < other->duration_ms;
}

/// The rows of one group, those that stay first.
void pair_up(std::vector<const Described*> rows, Close are_close, std::vector<SamePair>& pairs) {
  std::sort(rows.begin(), rows.end(), stands_before);
  const auto is_again = [](const Described* one, const Described* other) {  // one track in several lists
    return one->id == other->id && one->duration_ms == other->duration_ms;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), is_again), rows.end());
  std::vector<Cluster> clusters;
  for (const auto* row : rows) {
    Cluster* nearest = nullptr;
    for (auto& cluster : clusters) {
      if (!cluster.takes(*row, are_close)) continue;
      const auto distance = apart(cluster.head->duration_ms, row->duration_ms);
      if (nearest == nullptr || distance < apart(nearest->head->duration_ms, row->duration_ms)) nearest = &cluster;
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

/// The keys in order, so that the pairs are too.
std::vector<const std::string*> keys_of(const Groups& groups) {
  std::vector<const std::string*> keys;
  keys.reserve(groups.size());
  for (const auto& [key, rows] : groups) keys.push_back(&key);
  std::sort(keys.begin(), keys.end(), [](const auto* one, const auto* other) { return *one < *other; });
  return keys;
}

}  // namespace

bool are_close(std::uint64_t one_ms, std::uint64_t other_ms) {
  const auto distance = apart(one_ms, other_ms);
  return distance <= kApartMsMax && distance <= std::max(one_ms, other_ms) / kApartShareMax;
}

Standing standing_of(const Track& track, bool is_original) {
  Standing standing{track.taken_down, is_original, 0};
  for (const bool is_known :
       {!track.artist.empty(), !track.description.empty(), track.bpm_hundredths != 0, track.category.has_value(),
        track.energy.has_value(), track.tone.has_value(), track.quality != Track{}.quality, !track.source_page.empty(),
        !track.preview_url.empty() || !track.original_url.empty()}) {
    standing.facts += is_known ? 1U : 0U;
  }
  for (const auto& tags : track.tags) standing.facts += tags.empty() ? 0U : 1U;
  return standing;
}

void SameRecordings::add(const Description& row) {
  const auto title = comparable_name(row.title);
  const auto artist = comparable_name(row.artist);
  const auto at = static_cast<std::uint32_t>(rows_.size());
  if (!title.empty() && !artist.empty()) named_[title + '\n' + artist].push_back(at);
  if (row.made_from.size() == 1) made_from_[row.made_from[0]].push_back(at);
  own_[row.id].push_back(at);
  rows_.push_back({row.id, row.duration_ms, row.made_from.empty(), std::nullopt, {}});
}

std::vector<SamePair> SameRecordings::pairs() const {
  std::vector<SamePair> pairs;
  for (const auto* key : keys_of(named_)) {
    std::vector<const Described*> rows;
    for (const auto at : named_.at(*key)) rows.push_back(&rows_[at]);
    if (rows.size() > 1) pair_up(std::move(rows), &are_close, pairs);
  }
  for (const auto* key : keys_of(made_from_)) {
    std::vector<const Described*> rows;
    for (const auto at : made_from_.at(*key)) rows.push_back(&rows_[at]);
    if (const auto original = own_.find(*key); original != own_.end()) {
      for (const auto at : original->second) rows.push_back(&rows_[at]);
    }
    if (rows.size() > 1) pair_up(std::move(rows), &are_copies, pairs);
  }
  return pairs;
}

}  // namespace tonearm::builder
