#include "catalog/index/fingerprints.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tonearm::catalog {
namespace {

/// 1 KiB of starts, 4 KiB of entries.
constexpr std::size_t kStartsStep = 256;
constexpr std::size_t kEntriesStep = 512;
constexpr std::size_t kFingerprintsHead = 2 * sizeof(std::uint32_t);
constexpr std::uint32_t kStoredPerIndexed = kIndexedStep / kStoredStep;

/// Measured over encoders, levels, cuts and noise (tests/bench/fingerprints).
constexpr std::array<std::uint8_t, 32> kStableBits{19, 27, 3, 18, 26, 28, 29, 31, 30, 2,  21, 25, 20, 7, 15, 1,
                                                   11, 6,  9, 23, 5,  24, 0,  10, 17, 14, 22, 8,  13, 4, 16, 12};
/// The mean number of entries that share the compared bits.
constexpr std::uint64_t kMeanSimilarEntries = 64;
constexpr unsigned kBitsMin = 8;
constexpr unsigned kBitsMax = 22;

std::uint64_t sparse_bytes(std::uint64_t count, std::size_t step) {
  return SparseIndex::count_of(static_cast<std::size_t>(count), step) * sizeof(std::uint32_t);
}

std::uint64_t starts_offset(std::uint32_t tracks) {
  return kFingerprintsHead + sparse_bytes(tracks, kStartsStep) + std::uint64_t{tracks} * sizeof(std::uint32_t);
}

}  // namespace

std::uint32_t stable_bits_first(std::uint32_t value) {
  std::uint32_t ordered = 0;
  for (const std::uint8_t bit : kStableBits) ordered = ordered << 1U | (value >> bit & 1U);
  return ordered;
}

std::uint32_t stable_bit(unsigned number) { return std::uint32_t{1} << kStableBits.at(number); }

void FingerprintsBuilder::add(std::uint32_t position, std::span<const std::uint32_t> values) {
  std::vector<std::uint32_t> stored;
  stored.reserve(values.size() / kStoredStep + 1);
  for (std::size_t i = 0; i < values.size(); i += kStoredStep) stored.push_back(values[i]);
  add_stored(position, stored);
}

void FingerprintsBuilder::add_stored(std::uint32_t position, std::span<const std::uint32_t> stored) {
  if (stored.empty()) return;
  if (values_.size() + stored.size() > ~std::uint32_t{0} - kStoredPerIndexed) {
    throw Failure("the fingerprints take more than 16 GiB");
  }
  positions_.push_back(position);
  starts_.push_back(static_cast<std::uint32_t>(values_.size()));
  values_.insert(values_.end(), stored.begin(), stored.end());
  // A track starts at an indexed value. Its own last value pads the gap.
  while (values_.size() % kStoredPerIndexed != 0) values_.push_back(stored.back());
}

std::string FingerprintsBuilder::fingerprints() const {
  const std::array<std::uint32_t, 2> head{static_cast<std::uint32_t>(positions_.size()),
                                          static_cast<std::uint32_t>(values_.size())};
  const auto sparse = SparseIndex::sample(starts_.size(), kStartsStep, [&](std::size_t i) { return starts_[i]; });
  std::string section(raw_bytes(head));
  for (const auto* part : {&sparse, &positions_, &starts_, &values_}) {
    section += raw_bytes(*part);
  }
  return section;
}

std::string FingerprintsBuilder::index() const {
  std::vector<std::uint64_t> entries;
  entries.reserve(values_.size() / kStoredPerIndexed);
  for (std::size_t at = 0; at < values_.size(); at += kStoredPerIndexed) {
    entries.push_back(std::uint64_t{stable_bits_first(values_[at])} << 32U | at / kStoredPerIndexed);
  }
  std::sort(entries.begin(), entries.end());
  const auto sparse =
      SparseIndex::sample(entries.size(), kEntriesStep, [&](std::size_t i) { return upper_half(entries[i]); });
  const std::uint64_t count = entries.size();
  std::string section(raw_bytes(std::span(&count, 1)));
  section += raw_bytes(sparse);
  return section.append(raw_bytes(entries));
}

Fingerprints::Fingerprints(const Sections& sections)
    : head_(sections[SectionId::fingerprints].array<std::uint32_t>(0, 2)),
      entry_count_(sections[SectionId::fingerprint_index].array<std::uint64_t>(0, 1)[0]),
      starts_sparse_(sections[SectionId::fingerprints].array<std::uint32_t>(
                         kFingerprintsHead, SparseIndex::count_of(head_[0], kStartsStep)),
                     head_[0], kStartsStep),
      entries_sparse_(sections[SectionId::fingerprint_index].array<std::uint32_t>(
                          sizeof(std::uint64_t),
                          SparseIndex::count_of(static_cast<std::size_t>(std::min<std::uint64_t>(
                                                    entry_count_, sections[SectionId::fingerprint_index].size())),
                                                kEntriesStep)),
                      static_cast<std::size_t>(entry_count_), kEntriesStep) {
  const Extent& section = sections[SectionId::fingerprints];
  const std::uint32_t tracks = head_[0];
  const std::uint64_t starts = starts_offset(tracks);
  const std::uint64_t words = starts + std::uint64_t{tracks} * sizeof(std::uint32_t);
  positions_ = section.array<std::uint32_t>(kFingerprintsHead + sparse_bytes(tracks, kStartsStep), tracks);
  starts_ = section.array<std::uint32_t>(starts, tracks);
  values_ = section.array<std::uint32_t>(words, head_[1]);
  const Extent& index = sections[SectionId::fingerprint_index];
  const std::uint64_t first = sizeof(std::uint64_t) + sparse_bytes(entry_count_, kEntriesStep);
  entries_ = index.array<std::uint64_t>(first, entry_count_);
  if (words + std::uint64_t{head_[1]} * sizeof(std::uint32_t) != section.size() ||
      first + entry_count_ * sizeof(std::uint64_t) != index.size() ||
      std::uint64_t{head_[1]} != entry_count_ * kStoredPerIndexed) {
    throw_damaged("the fingerprints have the wrong size");
  }
  bits_ = std::clamp(static_cast<unsigned>(std::bit_width(entry_count_ / kMeanSimilarEntries)), kBitsMin, kBitsMax);
}

IndexRange Fingerprints::candidate_range(std::uint32_t value) const {
  const std::uint32_t rest = ~std::uint32_t{0} >> bits_;
  const std::uint32_t order = stable_bits_first(value);
  return {entries_sparse_.candidate_range(order & ~rest).begin, entries_sparse_.candidate_range(order | rest).end};
}

/// Each bound of a sparse index's range is at most one step off.
bool Fingerprints::surely_exceeds(const IndexRange& range, std::size_t count_max) {
  return range.end - range.begin > count_max + 2 * kEntriesStep;
}

IndexRange Fingerprints::similar_entries(std::uint32_t value, std::size_t count_max) const {
  const std::uint64_t rest = ~std::uint64_t{0} >> bits_;
  const std::uint64_t order = std::uint64_t{stable_bits_first(value)} << 32U;
  const IndexRange among = candidate_range(value);
  if (surely_exceeds(among, count_max)) return among;
  const auto at = [this](std::size_t i) { return entries_[i]; };
  const std::size_t begin = lower_bound_index(order & ~rest, among, at);
  const std::size_t last = lower_bound_index(order | rest, {begin, among.end}, at);
  return {begin, std::min(among.end, last < among.end && entries_[last] == (order | rest) ? last + 1 : last)};
}

std::uint32_t Fingerprints::track_at(std::uint32_t indexed_value) const {
  const std::uint64_t word = std::uint64_t{indexed_value} * kStoredPerIndexed;
  if (word >= values_.size()) throw_damaged("an index entry refers to a missing fingerprint");
  const auto wanted = static_cast<std::uint32_t>(word);
  const IndexRange among = starts_sparse_.candidate_range(wanted);
  const std::size_t after = lower_bound_index(wanted + 1, among, [this](std::size_t i) { return starts_[i]; });
  if (after == 0) throw_damaged("a fingerprint has no track");
  return static_cast<std::uint32_t>(after - 1);
}

Fingerprints::Stored Fingerprints::stored(std::uint32_t number) const {
  const std::uint32_t begin = starts_[number];
  const std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] : values_.size();
  if (begin >= end || end > values_.size() || begin % kStoredPerIndexed != 0)
    throw_damaged("a fingerprint is truncated");
  return {positions_[number], begin / kStoredPerIndexed, values_.subarray(begin, end - begin)};
}

void Fingerprints::add_entry_range(std::uint32_t value, std::size_t count_max, std::vector<FileRange>& ranges) const {
  const IndexRange range = candidate_range(value);
  if (range.begin < range.end && !surely_exceeds(range, count_max)) ranges.push_back(entries(range).range());
}

void Fingerprints::add_start_range(std::uint32_t indexed_value, std::vector<FileRange>& ranges) const {
  const std::uint64_t word = std::uint64_t{indexed_value} * kStoredPerIndexed;
  if (word >= values_.size()) return;
  const IndexRange among = starts_sparse_.candidate_range(static_cast<std::uint32_t>(word));
  const IndexRange with_next{among.begin, std::min(among.end + 1, starts_.size())};
  for (const auto* column : {&starts_, &positions_}) {
    ranges.push_back(column->subarray(with_next.begin, with_next.end - with_next.begin).range());
  }
}

}  // namespace tonearm::catalog
