#include "catalog/build/numbering.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "catalog/index/facets.h"
#include "catalog/index/hash.h"

namespace tonearm::catalog {
namespace {

enum class Partition : std::uint8_t { music, effects, speech, taken_down };

Partition partition_of(const Track& track) {
  if (track.taken_down) return Partition::taken_down;
  if (track.kind == Kind::music) return Partition::music;
  return is_speech(track) ? Partition::speech : Partition::effects;
}

std::vector<std::uint32_t> order_by_id(std::span<const Track> tracks, const Numbering& numbering) {
  std::vector<std::uint32_t> positions(numbering.track_at.size());
  std::iota(positions.begin(), positions.end(), 0U);
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tracks[numbering.track_at[a]].id < tracks[numbering.track_at[b]].id;
  });
  return positions;
}

}  // namespace

bool sorts_before(Sort sort, const Columns& columns, const Layout& layout, std::uint32_t a, std::uint32_t b) {
  const auto key = [&](std::uint32_t position) {
    const int group = (position >= layout.music_end ? 1 : 0) + (position >= layout.speech_end ? 1 : 0);
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    std::uint64_t value = 0xffffU - columns.quality[position];
    if (sort == Sort::shortest) value = columns.duration_ms[position];
    if (sort == Sort::longest) value = ~columns.duration_ms[position];
    // SORT-5: those without a tempo come last, in either order.
    if (sort == Sort::slow) value = bpm == 0 ? ~std::uint64_t{0} : bpm;
    if (sort == Sort::fast) value = bpm == 0 ? ~std::uint64_t{0} : ~bpm;
    return std::make_tuple(group, value, columns.ids.ranks[position]);
  };
  return key(a) < key(b);
}

std::vector<std::uint32_t> inverse_of(std::span<const std::uint32_t> permutation) {
  std::vector<std::uint32_t> ranks(permutation.size());
  for (std::uint32_t rank = 0; rank < permutation.size(); ++rank) ranks[permutation[rank]] = rank;
  return ranks;
}

Numbering number_tracks(std::span<const Track> tracks) {
  struct Numbered {
    Partition partition;
    std::uint64_t hash;
    std::uint32_t index;
  };
  std::vector<Numbered> numbered;
  numbered.reserve(tracks.size());
  for (const Track& track : tracks) {
    numbered.push_back({partition_of(track), hash64(track.id), static_cast<std::uint32_t>(numbered.size())});
  }
  std::sort(numbered.begin(), numbered.end(), [&](const Numbered& a, const Numbered& b) {
    return std::tie(a.partition, a.hash, tracks[a.index].id) < std::tie(b.partition, b.hash, tracks[b.index].id);
  });
  Numbering numbering;
  numbering.position_of.resize(numbered.size());
  std::array<std::uint32_t, 4> counts{};
  for (const Numbered& track : numbered) {
    ++counts[static_cast<std::size_t>(track.partition)];
    numbering.position_of[track.index] = static_cast<std::uint32_t>(numbering.track_at.size());
    numbering.track_at.push_back(track.index);
  }
  numbering.layout.music_end = counts[0];
  numbering.layout.effects_end = counts[0] + counts[1];
  numbering.layout.speech_end = numbering.layout.effects_end + counts[2];
  numbering.layout.size = static_cast<std::uint32_t>(numbered.size());
  return numbering;
}

std::vector<std::uint32_t> neighbor_positions(std::span<const Track> tracks, const Numbering& numbering,
                                              std::uint32_t index) {
  std::vector<std::uint32_t> positions;
  const Partition partition = partition_of(tracks[index]);
  if (partition == Partition::taken_down) return positions;
  for (const std::uint32_t neighbor : tracks[index].neighbors) {
    const std::uint32_t position = numbering.position_of.at(neighbor);
    if (neighbor == index || partition_of(tracks[neighbor]) != partition) continue;
    if (std::find(positions.begin(), positions.end(), position) == positions.end()) positions.push_back(position);
  }
  return positions;
}

OwnedColumns make_columns(std::span<const Track> tracks, const Numbering& numbering) {
  OwnedColumns columns;
  for (const std::uint32_t index : numbering.track_at) {
    const Track& track = tracks[index];
    columns.duration_ms.push_back(track.duration_ms);
    columns.bpm_hundredths.push_back(track.bpm_hundredths);
    columns.quality.push_back(track.quality);
    columns.flags.push_back(pack({track.loop, attribution(track.license, track.credit_requested), track.license}));
  }
  columns.ids.positions = order_by_id(tracks, numbering);
  columns.ids.ranks = inverse_of(columns.ids.positions);
  const Columns view = view_of(columns);
  for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
    auto& positions = columns.orders[i].positions;
    positions.resize(columns.ids.positions.size());
    std::iota(positions.begin(), positions.end(), 0U);
    std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
      return sorts_before(kStoredSorts[i], view, numbering.layout, a, b);
    });
    columns.orders[i].ranks = inverse_of(positions);
  }
  return columns;
}

}  // namespace tonearm::catalog
