#include "catalog/writer/numbering.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "catalog/index/creator_index.h"
#include "catalog/index/facets.h"
#include "catalog/index/hash.h"
#include "text/text_list.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::catalog {
namespace {

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

Numbering number_tracks(const TrackReader& tracks) {
  struct Numbered {
    std::uint64_t hash;
    std::uint32_t index;
    Partition partition;
  };
  text::TextList ids;
  std::vector<Numbered> numbered;
  numbered.reserve(tracks.size());
  for (std::uint32_t index = 0; index < tracks.size(); ++index) {
    const Track track = tracks.read(index);
    numbered.push_back({hash64(track.id), index, partition_of(track)});
    ids.append(track.id);
  }
  std::sort(numbered.begin(), numbered.end(), [&](const Numbered& a, const Numbered& b) {
    return std::tuple(a.partition, a.hash, ids[a.index]) < std::tuple(b.partition, b.hash, ids[b.index]);
  });
  Numbering numbering;
  numbering.position_of.resize(numbered.size());
  numbering.track_at.reserve(numbered.size());
  numbering.id_hash.reserve(numbered.size());
  std::array<std::uint32_t, 4> counts{};
  for (const Numbered& track : numbered) {
    ++counts[static_cast<std::size_t>(track.partition)];
    numbering.position_of[track.index] = static_cast<std::uint32_t>(numbering.track_at.size());
    numbering.track_at.push_back(track.index);
    numbering.id_hash.push_back(track.hash);
  }
  numbering.layout.music_end = counts[0];
  numbering.layout.effects_end = counts[0] + counts[1];
  numbering.layout.speech_end = numbering.layout.effects_end + counts[2];
  numbering.layout.size = static_cast<std::uint32_t>(numbered.size());
  numbering.id_rank = inverse_of(ordered(numbered.size(), [&](std::uint32_t a, std::uint32_t b) {
    return ids[numbering.track_at[a]] < ids[numbering.track_at[b]];
  }));
  return numbering;
}

std::vector<std::uint32_t> neighbor_positions(const Track& track, std::uint32_t position, const Numbering& numbering) {
  std::vector<std::uint32_t> positions;
  const Partition partition = partition_at(position, numbering.layout);
  if (partition == Partition::taken_down) return positions;
  for (const std::uint32_t neighbor : track.neighbors) {
    const std::uint32_t other = numbering.position_of.at(neighbor);
    if (other == position || partition_at(other, numbering.layout) != partition) continue;
    if (std::find(positions.begin(), positions.end(), other) == positions.end()) positions.push_back(other);
  }
  return positions;
}

void ColumnsBuilder::add(const Track& track) {
  const bool is_named = !track.taken_down && !track.artist.empty();
  const auto next = static_cast<std::uint32_t>(artists_.size());
  artist_of_.push_back(is_named ? artists_.try_emplace(text::fold_case(track.artist), next).first->second : kNoCreator);
  columns_.duration_ms.push_back(track.duration_ms);
  columns_.bpm_hundredths.push_back(track.bpm_hundredths);
  columns_.quality.push_back(track.quality);
  columns_.flags.push_back(
      encode_flags({track.loop, attribution(track.license, track.credit_requested), track.license, track.vocals}));
  published_.push_back(day_number(track.published));
  families_.add(track);
}

/// Returns the turn of each position; 0 for tracks without an artist.
std::vector<std::uint32_t> ColumnsBuilder::turns() const {
  std::vector<std::vector<std::uint32_t>> by_artist(artists_.size());
  for (std::uint32_t position = 0; position < artist_of_.size(); ++position) {
    if (artist_of_[position] != kNoCreator) by_artist[artist_of_[position]].push_back(position);
  }
  std::vector<std::uint32_t> turns(artist_of_.size());
  for (auto& positions : by_artist) assign_turns(std::move(positions), columns_.quality, numbering_.id_rank, turns);
  return turns;
}

OwnedColumns ColumnsBuilder::finish() {
  columns_.families = families_.finish();
  const std::vector<std::uint32_t> turns = this->turns();
  const std::span<const std::uint32_t> id_rank = numbering_.id_rank;
  columns_.ties.positions =
      ordered(id_rank.size(), [&](std::uint32_t a, std::uint32_t b) { return ties_before(turns, id_rank, a, b); });
  columns_.ties.ranks = inverse_of(columns_.ties.positions);
  return std::move(columns_);
}

std::vector<std::uint32_t> ColumnsBuilder::order_of(Sort sort, const OwnedColumns& columns) const {
  const Columns view = view_of(columns);
  return ordered(published_.size(), [&](std::uint32_t a, std::uint32_t b) {
    return sorts_before(sort, {view, published_, numbering_.id_rank}, numbering_.layout, a, b);
  });
}

std::vector<std::uint32_t> ColumnsBuilder::creators(const std::map<std::string, std::uint32_t>& ranks) const {
  std::vector<std::uint32_t> rank_of(artists_.size());
  for (const auto& [name, number] : artists_) rank_of[number] = ranks.at(name);
  std::vector<std::uint32_t> creators;
  creators.reserve(artist_of_.size());
  for (const std::uint32_t artist : artist_of_) creators.push_back(artist == kNoCreator ? artist : rank_of[artist]);
  return creators;
}

}  // namespace tonearm::catalog
