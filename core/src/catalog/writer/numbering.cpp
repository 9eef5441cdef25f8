#include "catalog/writer/numbering.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

#include "catalog/index/facets.h"
#include "catalog/index/hash.h"
#include "domain/variants.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::catalog {
namespace {

enum class Partition : std::uint8_t { music, effects, speech, taken_down };

Partition partition_of(const Track& track) {
  if (track.taken_down) return Partition::taken_down;
  if (track.kind == Kind::music) return Partition::music;
  return is_speech(track) ? Partition::speech : Partition::effects;
}

/// Returns all positions sorted by `comes_before`.
template <class Compare>
std::vector<std::uint32_t> ordered(std::size_t count, const Compare& comes_before) {
  std::vector<std::uint32_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0U);
  std::sort(positions.begin(), positions.end(), comes_before);
  return positions;
}

/// By position. The turn is 0 for tracks without an artist and for tracks taken down, which are in no search.
std::vector<std::uint32_t> turns_of(std::span<const Track> tracks, const Numbering& numbering,
                                    std::span<const std::uint16_t> quality) {
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_artist;
  for (std::uint32_t position = 0; position < numbering.layout.speech_end; ++position) {
    const std::string& artist = tracks[numbering.track_at[position]].artist;
    if (!artist.empty()) by_artist[text::fold_case(artist)].push_back(position);
  }
  std::vector<std::uint32_t> turns(numbering.track_at.size());
  for (auto& [artist, positions] : by_artist) assign_turns(std::move(positions), quality, numbering.id_rank, turns);
  return turns;
}

}  // namespace

std::uint32_t day_number(std::string_view date) {
  std::uint32_t day = 0;
  for (const char c : date) {
    if (ascii::is_digit(c)) day = day * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return day;
}

bool sorts_before(Sort sort, const SortKeys& keys, const Layout& layout, std::uint32_t a, std::uint32_t b) {
  const Columns& columns = keys.columns;
  const auto key = [&](std::uint32_t position) {
    const int partition = (position >= layout.music_end ? 1 : 0) + (position >= layout.speech_end ? 1 : 0);
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    std::uint64_t value = 0xffffU - columns.quality[position];
    if (sort == Sort::shortest) value = columns.duration_ms[position];
    if (sort == Sort::longest) value = ~columns.duration_ms[position];
    // SORT-5: tracks without a tempo are last in either order.
    if (sort == Sort::slow) value = bpm == 0 ? ~std::uint64_t{0} : bpm;
    if (sort == Sort::fast) value = bpm == 0 ? ~std::uint64_t{0} : ~bpm;
    if (sort == Sort::newest) value = ~keys.published[position];
    return std::make_tuple(partition, value, keys.id_rank[position]);
  };
  return key(a) < key(b);
}

void assign_turns(std::vector<std::uint32_t> of_artist, std::span<const std::uint16_t> quality,
                  std::span<const std::uint32_t> id_rank, std::vector<std::uint32_t>& turns) {
  std::sort(of_artist.begin(), of_artist.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(quality[b], id_rank[a]) < std::pair(quality[a], id_rank[b]);
  });
  for (std::uint32_t turn = 0; turn < of_artist.size(); ++turn) turns[of_artist[turn]] = turn;
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
  numbering.id_rank = inverse_of(ordered(numbered.size(), [&](std::uint32_t a, std::uint32_t b) {
    return tracks[numbering.track_at[a]].id < tracks[numbering.track_at[b]].id;
  }));
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
  FamilyFinder families;
  std::vector<std::uint32_t> published;
  for (const std::uint32_t index : numbering.track_at) {
    const Track& track = tracks[index];
    columns.duration_ms.push_back(track.duration_ms);
    columns.bpm_hundredths.push_back(track.bpm_hundredths);
    columns.quality.push_back(track.quality);
    columns.flags.push_back(
        encode_flags({track.loop, attribution(track.license, track.credit_requested), track.license, track.vocals}));
    published.push_back(day_number(track.published));
    families.add(track);
  }
  columns.families = families.finish();
  const std::span<const std::uint32_t> id_rank = numbering.id_rank;
  const auto turns = turns_of(tracks, numbering, columns.quality);
  columns.ties.positions =
      ordered(id_rank.size(), [&](std::uint32_t a, std::uint32_t b) { return ties_before(turns, id_rank, a, b); });
  columns.ties.ranks = inverse_of(columns.ties.positions);
  const Columns view = view_of(columns);
  for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
    columns.orders[i].positions = ordered(id_rank.size(), [&](std::uint32_t a, std::uint32_t b) {
      return sorts_before(kStoredSorts[i], {view, published, id_rank}, numbering.layout, a, b);
    });
    columns.orders[i].ranks = inverse_of(columns.orders[i].positions);
  }
  return columns;
}

}  // namespace tonearm::catalog
