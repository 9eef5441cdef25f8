#include "catalog/index/id_index.h"

#include "catalog/index/hash.h"

namespace tonearm::catalog {
namespace {

/// 1 KiB of fingerprints.
constexpr std::size_t kSparseStep = 512;

std::uint16_t fingerprint_of(std::uint64_t hash) { return static_cast<std::uint16_t>(hash & 0xffffU); }

std::array<std::uint32_t, 5> partition_bounds(const Layout& layout) {
  return {0, layout.music_end, layout.effects_end, layout.speech_end, layout.size};
}

}  // namespace

IdIndex::Offsets::Offsets(const Layout& layout) : positions(partition_bounds(layout)) {
  for (std::size_t partition = 0; partition + 1 < positions.size(); ++partition) {
    const std::size_t sparse =
        SparseIndex::count_of(positions.at(partition + 1) - positions.at(partition), kSparseStep);
    bytes.at(partition + 1) = bytes.at(partition) + sparse * sizeof(std::uint32_t);
  }
}

IdIndex::IdIndex(const Sections& sections, const Layout& layout) : IdIndex(sections[SectionId::ids], Offsets(layout)) {}

IdIndex::IdIndex(const Extent& section, const Offsets& offsets)
    : partitions_([&] {
        const auto partition = [&](std::size_t number) {
          const std::uint32_t begin = offsets.positions.at(number);
          const std::size_t count = offsets.positions.at(number + 1) - begin;
          const std::size_t sparse = SparseIndex::count_of(count, kSparseStep);
          return Partition{begin, {section.array<std::uint32_t>(offsets.bytes.at(number), sparse), count, kSparseStep}};
        };
        return std::array<Partition, 4>{partition(0), partition(1), partition(2), partition(3)};
      }()),
      fingerprints_(section.array<std::uint16_t>(offsets.bytes.back(), offsets.positions.back())) {
  if (offsets.bytes.back() + fingerprints_.size() * sizeof(std::uint16_t) != section.size()) {
    throw_damaged("the section ids has the wrong size");
  }
}

std::vector<std::uint32_t> IdIndex::candidates(std::string_view id) const {
  const std::uint64_t hash = hash64(id);
  const std::uint16_t fingerprint = fingerprint_of(hash);
  std::vector<std::uint32_t> found;
  for (const Partition& partition : partitions_) {
    const auto [begin, end] = partition.sparse.candidate_range(upper_half(hash));
    const std::span<const std::uint16_t> fingerprints =
        fingerprints_.subarray(partition.begin + begin, end - begin).all();
    // Compares batches first, because hardly any fingerprint matches.
    constexpr std::size_t kBatch = 64;
    for (std::size_t at = 0; at < fingerprints.size(); at += kBatch) {
      const auto some = fingerprints.subspan(at, std::min(kBatch, fingerprints.size() - at));
      unsigned any = 0;
      for (const std::uint16_t it : some) any |= it == fingerprint ? 1U : 0U;
      for (std::size_t i = 0; any != 0 && i < some.size(); ++i) {
        if (some[i] == fingerprint) found.push_back(partition.begin + static_cast<std::uint32_t>(begin + at + i));
      }
    }
  }
  return found;
}

void IdIndex::add_ranges(std::string_view id, std::vector<FileRange>& ranges) const {
  for (const Partition& partition : partitions_) {
    const auto [begin, end] = partition.sparse.candidate_range(upper_half(hash64(id)));
    if (begin < end) ranges.push_back(fingerprints_.subarray(partition.begin + begin, end - begin).range());
  }
}

std::string encode_ids(const std::vector<std::uint64_t>& hashes, const Layout& layout) {
  const auto bounds = partition_bounds(layout);
  std::string section;
  for (std::size_t partition = 0; partition + 1 < bounds.size(); ++partition) {
    const std::uint32_t begin = bounds.at(partition);
    const auto sparse = SparseIndex::sample(bounds.at(partition + 1) - begin, kSparseStep,
                                            [&](std::size_t i) { return upper_half(hashes[begin + i]); });
    section += raw_bytes(sparse);
  }
  std::vector<std::uint16_t> fingerprints;
  fingerprints.reserve(hashes.size());
  for (const std::uint64_t hash : hashes) fingerprints.push_back(fingerprint_of(hash));
  return section.append(raw_bytes(fingerprints));
}

}  // namespace tonearm::catalog
