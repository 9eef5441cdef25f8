#include "catalog/index/file_hashes.h"

#include <algorithm>

namespace tonearm::catalog {
namespace {

/// 4.5 KiB of entries.
constexpr std::size_t kFileHashesStep = 128;
constexpr std::size_t kFileHashesHead = 2 * sizeof(std::uint32_t);

/// Returns the first four bytes as a big-endian number.
std::uint32_t prefix_of(const Sha256& hash) {
  return std::uint32_t{hash[0]} << 24U | std::uint32_t{hash[1]} << 16U | std::uint32_t{hash[2]} << 8U | hash[3];
}

}  // namespace

std::string encode_file_hashes(std::vector<FileHash> hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  const std::array<std::uint32_t, 2> head{static_cast<std::uint32_t>(hashes.size()), 0};
  const auto sparse =
      SparseIndex::sample(hashes.size(), kFileHashesStep, [&](std::size_t i) { return prefix_of(hashes[i].hash); });
  std::string section(raw_bytes(head));
  return section.append(raw_bytes(sparse)).append(raw_bytes(hashes));
}

FileHashes::FileHashes(const Extent& section)
    : count_(section.array<std::uint32_t>(0, 2)[0]),
      sparse_(section.array<std::uint32_t>(kFileHashesHead, SparseIndex::count_of(count_, kFileHashesStep)), count_,
              kFileHashesStep) {
  const std::uint64_t first = kFileHashesHead + SparseIndex::count_of(count_, kFileHashesStep) * sizeof(std::uint32_t);
  entries_ = section.subextent(first, std::uint64_t{count_} * sizeof(FileHash));
  if (first + entries_.size() != section.size()) throw_damaged("the hashes of files have the wrong size");
}

FileHash FileHashes::at(std::uint32_t number) const {
  FileHash entry;
  std::string buffer;
  const std::string_view bytes = entries_.bytes(std::uint64_t{number} * sizeof entry, sizeof entry, buffer);
  std::memcpy(&entry, bytes.data(), sizeof entry);
  return entry;
}

std::vector<std::uint32_t> FileHashes::tracks_of(const Sha256& hash) const {
  const IndexRange among = sparse_.candidate_range(prefix_of(hash));
  const auto hash_at = [this](std::size_t i) { return at(static_cast<std::uint32_t>(i)).hash; };
  std::vector<std::uint32_t> tracks;
  for (std::size_t i = lower_bound_index(hash, among, hash_at); i < among.end; ++i) {
    const FileHash entry = at(static_cast<std::uint32_t>(i));
    if (entry.hash != hash) break;
    tracks.push_back(entry.position);
  }
  return tracks;
}

void FileHashes::add_range(const Sha256& hash, std::vector<FileRange>& ranges) const {
  const auto [begin, end] = sparse_.candidate_range(prefix_of(hash));
  if (begin < end) ranges.push_back(entries_.range(begin * sizeof(FileHash), (end - begin) * sizeof(FileHash)));
}

}  // namespace tonearm::catalog
