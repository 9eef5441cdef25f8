#include "catalog/index/tempo_order.h"

namespace tonearm::catalog {
namespace {

/// 4 KiB of keys.
constexpr std::size_t kSparseStep = 1024;
/// A key is the tempo below two bits for music, effects or taken down.
constexpr std::uint32_t kPartitionShift = 30;
constexpr std::uint32_t kNoTempo = (std::uint32_t{1} << kPartitionShift) - 1;

std::uint32_t key_of(std::uint32_t partition, std::uint64_t bpm_hundredths) {
  return partition << kPartitionShift |
         static_cast<std::uint32_t>(std::min<std::uint64_t>(bpm_hundredths, kNoTempo - 1));
}

const Array<std::uint32_t>& order_of(const Columns& columns) {
  const auto slow = std::find(kStoredSorts.begin(), kStoredSorts.end(), Sort::slow) - kStoredSorts.begin();
  return columns.orders.at(static_cast<std::size_t>(slow)).positions;
}

}  // namespace

TempoOrder::TempoOrder(const Sections& sections, const Layout& layout)
    : size_(layout.size),
      music_end_(layout.music_end),
      speech_end_(layout.speech_end),
      order_(sections[SectionId::order_slow].array<std::uint32_t>(0, size_)),
      sparse_(sections[SectionId::tempos].array<std::uint32_t>(0, SparseIndex::count_of(size_, kSparseStep)), size_,
              kSparseStep),
      keys_(sections[SectionId::tempos].array<std::uint32_t>(
          SparseIndex::count_of(size_, kSparseStep) * sizeof(std::uint32_t), size_)) {
  if (sections[SectionId::tempos].size() !=
      (SparseIndex::count_of(size_, kSparseStep) + std::uint64_t{size_}) * sizeof(std::uint32_t)) {
    throw_damaged("the section tempos has the wrong size");
  }
}

TempoOrder::Keys TempoOrder::keys_of(Kind kind, const Range& bpm_hundredths) const {
  const std::uint32_t partition = kind == Kind::music ? 0 : 1;
  // Tracks without a tempo are in no range.
  return {key_of(partition, bpm_hundredths.min.value_or(1)),
          key_of(partition, bpm_hundredths.max.value_or(kNoTempo - 1))};
}

IndexRange TempoOrder::all_of(Kind kind) const {
  return kind == Kind::music ? IndexRange{0, music_end_} : IndexRange{music_end_, speech_end_};
}

TempoOrder::Slice TempoOrder::slice(Kind kind, const Range& bpm_hundredths) const {
  const auto at = [this](std::size_t rank) { return keys_[rank]; };
  const auto [least, highest] = keys_of(kind, bpm_hundredths);
  const IndexRange all = all_of(kind);
  const std::size_t begin =
      std::clamp(lower_bound_index(least, sparse_.candidate_range(least), at), all.begin, all.end);
  const std::size_t end =
      std::clamp(lower_bound_index(highest + 1, sparse_.candidate_range(highest), at), begin, all.end);
  return {all, {begin, end}};
}

void TempoOrder::add_ranges(Kind kind, const Range& bpm_hundredths, std::vector<FileRange>& ranges) const {
  const auto add = [&](const Array<std::uint32_t>& array, std::size_t begin, std::size_t end) {
    if (begin < end) ranges.push_back(array.subarray(begin, end - begin).range());
  };
  const auto [least, highest] = keys_of(kind, bpm_hundredths);
  const IndexRange first = sparse_.candidate_range(least);
  const IndexRange last = sparse_.candidate_range(highest);
  add(keys_, first.begin, first.end);
  add(keys_, last.begin, last.end);
  const Slice likely{all_of(kind), {first.begin, std::max(first.begin, last.end)}};
  if (likely.is_mostly_inside()) {
    add(order_, likely.all.begin, first.end);
    add(order_, last.begin, likely.all.end);
  } else {
    add(order_, likely.inside.begin, likely.inside.end);
  }
}

std::string encode_tempos(const Columns& columns, const Layout& layout) {
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t position : order_of(columns)) {
    const std::uint32_t partition =
        (position >= layout.music_end ? 1U : 0U) + (position >= layout.speech_end ? 1U : 0U);
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    keys.push_back(bpm == 0 ? partition << kPartitionShift | kNoTempo : key_of(partition, bpm));
  }
  const auto sparse = SparseIndex::sample(keys.size(), kSparseStep, [&](std::size_t i) { return keys[i]; });
  return std::string(raw_bytes(sparse)).append(raw_bytes(keys));
}

}  // namespace tonearm::catalog
