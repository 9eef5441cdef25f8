#include "catalog/index/posting_list.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tonearm::catalog {
namespace {

/// Rank and highest impact of each bitmap word.
struct WordSummary {
  std::vector<std::uint32_t> ranks;
  std::vector<std::uint8_t> block_max;
};

WordSummary summarize_words(std::span<const std::uint64_t> bits, std::span<const std::uint8_t> impacts) {
  WordSummary parts;
  parts.ranks.reserve(bits.size());
  parts.block_max.reserve(bits.size());
  std::uint32_t rank = 0;
  for (const std::uint64_t word : bits) {
    const auto members = static_cast<std::uint32_t>(std::popcount(word));
    std::uint8_t highest = 0;
    for (const std::uint8_t impact : impacts.subspan(rank, members)) highest = std::max(highest, impact);
    parts.ranks.push_back(rank);
    parts.block_max.push_back(highest);
    rank += members;
  }
  return parts;
}

}  // namespace

std::array<std::uint32_t, 3> count_partitions(std::span<const std::uint32_t> positions, const Layout& layout) {
  const auto before = [&](std::uint32_t end) {
    return static_cast<std::uint32_t>(std::lower_bound(positions.begin(), positions.end(), end) - positions.begin());
  };
  const std::uint32_t music = before(layout.music_end);
  const std::uint32_t effects = before(layout.effects_end);
  return {music, effects - music, static_cast<std::uint32_t>(positions.size()) - effects};
}

std::string encode_posting_list(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                const Layout& layout, std::span<const std::uint32_t> tie_rank) {
  if (!is_dense(static_cast<std::uint32_t>(positions.size()), layout.size)) {
    std::string bytes(raw_bytes(positions));
    if (impacts.empty()) return bytes;
    std::vector<std::uint32_t> ranks;
    ranks.reserve(positions.size());
    for (const std::uint32_t position : positions) ranks.push_back(tie_rank[position]);
    return bytes.append(raw_bytes(ranks)).append(raw_bytes(impacts));
  }
  std::vector<std::uint64_t> bits(words_for(layout.size));
  for (const std::uint32_t position : positions) set_bit(bits.data(), position);
  const std::string_view bit_bytes = raw_bytes(bits);
  if (impacts.empty()) return std::string(bit_bytes);
  const WordSummary parts = summarize_words(bits, impacts);
  std::string bytes;
  std::size_t begin = 0;
  for (const std::uint32_t count : count_partitions(positions, layout)) {
    bytes += raw_bytes(best_members(positions, impacts, begin, begin + count, tie_rank));
    begin += count;
  }
  return bytes.append(bit_bytes)
      .append(raw_bytes(parts.ranks))
      .append(raw_bytes(parts.block_max))
      .append(raw_bytes(impacts));
}

std::vector<std::uint32_t> best_members(std::span<const std::uint32_t> positions, std::span<const std::uint8_t> impacts,
                                        std::size_t begin, std::size_t end, std::span<const std::uint32_t> tie_rank) {
  std::vector<std::size_t> members(end - begin);
  std::iota(members.begin(), members.end(), begin);
  const auto ranks_before = [&](std::size_t a, std::size_t b) {
    return std::make_pair(impacts[b], tie_rank[positions[a]]) < std::make_pair(impacts[a], tie_rank[positions[b]]);
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(members.size(), kBestStored));
  std::partial_sort(members.begin(), members.begin() + kept, members.end(), ranks_before);
  std::vector<std::uint32_t> best;
  best.reserve(static_cast<std::size_t>(kept));
  for (std::ptrdiff_t i = 0; i < kept; ++i) best.push_back(positions[members[static_cast<std::size_t>(i)]]);
  return best;
}

std::uint64_t best_size(const std::array<std::uint32_t, 3>& counts, PostingKind kind, std::uint32_t size) {
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (kind != PostingKind::text || count > size || !is_dense(static_cast<std::uint32_t>(count), size)) return 0;
  std::uint64_t best = 0;
  for (const std::uint32_t of_partition : counts) best += std::min(of_partition, kBestStored);
  return best * sizeof(std::uint32_t);
}

FileRange posting_list_range(std::uint64_t offset, const std::array<std::uint32_t, 3>& counts, PostingKind kind,
                             std::uint32_t size, PostingParts parts) {
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  const bool has_members_only = kind == PostingKind::facet || parts == PostingParts::members;
  if (count > size || !is_dense(static_cast<std::uint32_t>(count), size)) {
    return {offset, count * (has_members_only ? 4 : 9)};
  }
  const std::uint64_t words = words_for(size);
  if (has_members_only) return {offset, words * 8};
  const std::uint64_t best = parts == PostingParts::scores ? 0 : std::min(best_size(counts, kind, size), offset);
  return {offset - best, best + words * 8 + (parts == PostingParts::best ? 0 : words * 5 + count)};
}

PostingList decode_posting_list(const Extent& section, std::uint64_t offset, const std::array<std::uint32_t, 3>& counts,
                                PostingKind kind, std::uint32_t size) {
  PostingList posting_list;
  posting_list.counts = counts;
  const std::uint64_t count = std::uint64_t{counts[0]} + counts[1] + counts[2];
  if (count == 0 || count > size) throw_damaged("a posting list has a wrong number of tracks");
  posting_list.count = static_cast<std::uint32_t>(count);
  posting_list.dense = is_dense(posting_list.count, size);
  const bool has_impacts = kind == PostingKind::text;
  if (!posting_list.dense) {
    posting_list.positions = section.array<std::uint32_t>(offset, count).all();
    if (!has_impacts) return posting_list;
    posting_list.tie_ranks = section.array<std::uint32_t>(offset + count * sizeof(std::uint32_t), count);
    posting_list.impacts = section.array<std::uint8_t>(offset + 2 * count * sizeof(std::uint32_t), count);
    return posting_list;
  }
  const std::uint64_t words = words_for(size);
  posting_list.bits = section.array<std::uint64_t>(offset, words).all();
  if (!has_impacts) return posting_list;
  const std::uint64_t best = best_size(counts, kind, size);
  if (best > offset) throw_damaged("a posting list has too few best tracks");
  std::uint64_t at = offset - best;
  for (std::size_t partition = 0; partition < counts.size(); ++partition) {
    posting_list.best[partition] = section.array<std::uint32_t>(at, std::min(counts[partition], kBestStored));
    at += posting_list.best[partition].size() * sizeof(std::uint32_t);
  }
  offset += words * sizeof(std::uint64_t);
  posting_list.ranks = section.array<std::uint32_t>(offset, words);
  offset += words * sizeof(std::uint32_t);
  posting_list.block_max = section.array<std::uint8_t>(offset, words);
  posting_list.impacts = section.array<std::uint8_t>(offset + words, count);
  return posting_list;
}

DenseCopy::DenseCopy(const PostingList& list, std::uint32_t end)
    : bits_(words_for(end)), ranks_(bits_.size()), block_max_(bits_.size()), posting_(list) {
  // Positions ascend, so the members of a bitmap word are adjacent.
  std::uint32_t member = 0;
  for (const std::uint32_t position : list.positions) {
    if (position >= end) break;
    const std::size_t word = position / kWordBits;
    set_bit(bits_.data(), position);
    block_max_[word] = std::max(block_max_[word], list.impact_at(member++));
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
  posting_.block_max = block_max_;
}

}  // namespace tonearm::catalog
