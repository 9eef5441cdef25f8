#include "catalog/postings.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tonearm::catalog {
namespace {

/// The parts of a bitmap beside its bits.
struct Beside {
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint8_t> maxima;
};

Beside beside(std::span<const std::uint64_t> bits, std::span<const std::uint8_t> impacts) {
  Beside parts;
  parts.ranks.reserve(bits.size());
  parts.maxima.reserve(bits.size());
  std::uint32_t rank = 0;
  for (const std::uint64_t word : bits) {
    const auto members = static_cast<std::uint32_t>(std::popcount(word));
    std::uint8_t highest = 0;
    for (const std::uint8_t impact : impacts.subspan(rank, members)) highest = std::max(highest, impact);
    parts.ranks.push_back(rank);
    parts.maxima.push_back(highest);
    rank += members;
  }
  return parts;
}

}  // namespace

std::array<std::uint32_t, 3> count_groups(std::span<const std::uint32_t> positions, const Layout& layout) {
  const auto before = [&](std::uint32_t end) {
    return static_cast<std::uint32_t>(std::lower_bound(positions.begin(), positions.end(), end) - positions.begin());
  };
  const std::uint32_t music = before(layout.music_end);
  const std::uint32_t effects = before(layout.effects_end);
  return {music, effects - music, static_cast<std::uint32_t>(positions.size()) - effects};
}

std::string encode_posting(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                           const Layout& layout, std::span<const std::uint32_t> id_rank) {
  if (!is_dense(static_cast<std::uint32_t>(positions.size()), layout.size)) {
    std::string bytes(as_bytes(positions));
    if (impacts.empty()) return bytes;
    std::vector<std::uint32_t> ranks;
    ranks.reserve(positions.size());
    for (const std::uint32_t position : positions) ranks.push_back(id_rank[position]);
    return bytes.append(as_bytes(std::span<const std::uint32_t>(ranks))).append(as_bytes(impacts));
  }
  std::vector<std::uint64_t> bits(words_for(layout.size));
  for (const std::uint32_t position : positions) set_bit(bits.data(), position);
  const std::string_view bit_bytes = as_bytes(std::span<const std::uint64_t>(bits));
  if (impacts.empty()) return std::string(bit_bytes);
  const Beside parts = beside(bits, impacts);
  std::string bytes;
  std::size_t begin = 0;
  for (const std::uint32_t count : count_groups(positions, layout)) {
    bytes += as_bytes(std::span<const std::uint32_t>(best_members(positions, impacts, begin, begin + count, id_rank)));
    begin += count;
  }
  return bytes.append(bit_bytes)
      .append(as_bytes(std::span<const std::uint32_t>(parts.ranks)))
      .append(as_bytes(std::span<const std::uint8_t>(parts.maxima)))
      .append(as_bytes(impacts));
}

std::vector<std::uint32_t> best_members(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                        std::size_t begin, std::size_t end, std::span<const std::uint32_t> id_rank) {
  std::vector<std::size_t> members(end - begin);
  std::iota(members.begin(), members.end(), begin);
  const auto comes_first = [&](std::size_t a, std::size_t b) {
    return std::make_pair(impacts[b], id_rank[positions[a]]) < std::make_pair(impacts[a], id_rank[positions[b]]);
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(members.size(), kBestKept));
  std::partial_sort(members.begin(), members.begin() + kept, members.end(), comes_first);
  std::vector<std::uint32_t> best;
  best.reserve(static_cast<std::size_t>(kept));
  for (std::ptrdiff_t i = 0; i < kept; ++i) best.push_back(positions[members[static_cast<std::size_t>(i)]]);
  return best;
}

std::uint64_t best_size(const std::array<std::uint32_t, 3>& counts, PostingKind kind, std::uint32_t size) {
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (kind != PostingKind::word || count > size || !is_dense(static_cast<std::uint32_t>(count), size)) return 0;
  std::uint64_t best = 0;
  for (const std::uint32_t of_group : counts) best += std::min(of_group, kBestKept);
  return best * sizeof(std::uint32_t);
}

FileRange posting_place(std::uint64_t offset, const std::array<std::uint32_t, 3>& counts, PostingKind kind,
                        std::uint32_t size, PostingParts parts) {
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  const bool is_word = kind == PostingKind::word;
  if (count > size || !is_dense(static_cast<std::uint32_t>(count), size)) return {offset, count * (is_word ? 9 : 4)};
  const std::uint64_t words = words_for(size);
  if (!is_word) return {offset, words * 8};
  const std::uint64_t best = parts == PostingParts::scores ? 0 : std::min(best_size(counts, kind, size), offset);
  return {offset - best, best + words * 8 + (parts == PostingParts::best ? 0 : words * 5 + count)};
}

Posting decode_posting(const Extent& section, std::uint64_t offset, const std::array<std::uint32_t, 3>& counts,
                       PostingKind kind, std::uint32_t size) {
  Posting posting;
  posting.counts = counts;
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (count == 0 || count > size) damaged("a posting counts more tracks than there are");
  posting.count = static_cast<std::uint32_t>(count);
  posting.dense = is_dense(posting.count, size);
  const bool has_impacts = kind == PostingKind::word;
  if (!posting.dense) {
    posting.positions = section.array<std::uint32_t>(offset, count).all();
    if (!has_impacts) return posting;
    posting.id_ranks = section.array<std::uint32_t>(offset + count * sizeof(std::uint32_t), count);
    posting.impacts = section.array<std::uint8_t>(offset + 2 * count * sizeof(std::uint32_t), count);
    return posting;
  }
  const std::uint64_t words = words_for(size);
  posting.bits = section.array<std::uint64_t>(offset, words).all();
  if (!has_impacts) return posting;
  const std::uint64_t best = best_size(counts, kind, size);
  if (best > offset) damaged("a posting has too few best tracks");
  std::uint64_t at = offset - best;
  for (std::size_t group = 0; group < counts.size(); ++group) {
    posting.best[group] = section.array<std::uint32_t>(at, std::min(counts[group], kBestKept));
    at += posting.best[group].size() * sizeof(std::uint32_t);
  }
  offset += words * sizeof(std::uint64_t);
  posting.ranks = section.array<std::uint32_t>(offset, words);
  offset += words * sizeof(std::uint32_t);
  posting.maxima = section.array<std::uint8_t>(offset, words);
  posting.impacts = section.array<std::uint8_t>(offset + words, count);
  return posting;
}

DenseCopy::DenseCopy(const Posting& list, std::uint32_t end)
    : bits_(words_for(end)), ranks_(bits_.size()), maxima_(bits_.size()), posting_(list) {
  // Positions rise: the members of a word of the bitmap stand together.
  std::uint32_t member = 0;
  for (const std::uint32_t position : list.positions) {
    if (position >= end) break;
    const std::size_t word = position / kWordBits;
    set_bit(bits_.data(), position);
    maxima_[word] = std::max(maxima_[word], list.impact_at(member++));
  }
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    ranks_[i] = rank;
    rank += static_cast<std::uint32_t>(std::popcount(bits_[i]));
  }
  posting_.dense = true;
  posting_.positions = {};
  posting_.bits = bits_;
  posting_.ranks = ranks_;
  posting_.maxima = maxima_;
}

}  // namespace tonearm::catalog
