#include "program/earlier_neighbors.h"

#include <array>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

#include "similar/neighbor_collector.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::builder {
namespace {

constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
/// The keys of a snapshot's manifest for the digests, by PoolId.
constexpr std::array<const char*, kPoolCount> kDigestKeys{"similar_music", "similar_effects", "similar_speech"};
/// The greatest length of a list. It bounds memory for a damaged file.
constexpr auto kNeighborsMax = std::accumulate(
    kNeighborLists.begin(), kNeighborLists.end(), 0U,
    [](std::uint32_t sum, const NeighborLimits& limits) { return sum + static_cast<std::uint32_t>(limits.count_max); });

}  // namespace

EarlierSnapshot::EarlierSnapshot(const std::string& path, const StringTable& ids, Hashing& hashing)
    : snapshot_(path), hashing_(hashing) {
  const auto manifest = snapshot_manifest(snapshot_.file());
  for (std::size_t i = 0; i < digests_.size(); ++i) {
    const auto found = manifest.find(kDigestKeys[i]);
    if (found != manifest.end()) digests_[i] = digest_from(found->second);
  }
  const TrackPath id("id");
  positions_.assign(ids.size(), kNone);
  indices_.assign(snapshot_.catalog().track_count(), kNone);
  for (std::uint32_t position = 0; position < indices_.size(); ++position) {
    const auto index = ids.find(text_of(id.of(snapshot_.track(position))));
    if (!index) continue;
    indices_[position] = *index;
    positions_[*index] = position;
  }
}

PoolDigest EarlierSnapshot::digest(PoolId pool) const { return digests_[static_cast<std::size_t>(pool)]; }

bool EarlierSnapshot::is_intact() const {
  if (!is_intact_) {
    const auto checked = snapshot_.catalog().check_blocks(hashing_);
    is_intact_ = checked.has_value();
    if (!checked) note(checked.error().message);
  }
  return *is_intact_;
}

void EarlierSnapshot::check_unchanged() const {
  if (!snapshot_.catalog().is_unchanged()) throw Failure(snapshot_.path() + ": was changed while it was read");
}

std::uint32_t EarlierSnapshot::position(std::uint32_t index) const { return positions_[index]; }

std::vector<std::uint32_t> EarlierSnapshot::list(std::uint32_t index) const {
  std::vector<std::uint32_t> list;
  const auto position = positions_[index];
  if (position == kNone) return list;
  try {
    const auto page = snapshot_.catalog().similar(position, {}, kNeighborsMax, 0);
    list.reserve(page.tracks.size());
    for (const auto neighbor : page.tracks) {
      if (indices_.at(neighbor) != kNone) list.push_back(indices_[neighbor]);
    }
  } catch (const CatalogDamaged& damage) {
    throw Failure(snapshot_.path() + ": " + damage.what());
  }
  return list;
}

std::vector<std::uint32_t> EarlierSnapshot::guess(std::uint32_t index) const {
  if (is_intact_ == false) return {};
  try {
    return list(index);
  } catch (const std::exception& failure) {
    note(failure.what());
    return {};
  }
}

std::optional<std::uint8_t> EarlierSnapshot::terms(std::uint32_t index) const {
  static const TrackPath commercial("terms.commercial");
  static const TrackPath attribution("attribution");
  const auto position = positions_[index];
  if (position == kNone) return std::nullopt;
  try {
    const RenderedTrack track = snapshot_.track(position);
    return Traits::terms_of(commercial.of(track) == "true",
                            text_of(attribution.of(track)) == to_string(Attribution::optional));
  } catch (const std::exception& failure) {
    note(failure.what());
    return std::nullopt;
  }
}

std::string EarlierSnapshot::message() const {
  const std::lock_guard lock(mutex_);
  return message_;
}

void EarlierSnapshot::note(const std::string& what) const {
  const std::lock_guard lock(mutex_);
  if (message_.empty()) message_ = what;
}

std::map<std::string, std::string> manifest_entries(const PoolDigests& digests) {
  std::map<std::string, std::string> entries;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    if (digests[i] != PoolDigest{}) entries.emplace(kDigestKeys[i], to_text(digests[i]));
  }
  return entries;
}

}  // namespace tonearm::builder
