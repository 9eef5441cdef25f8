#include "tonearm/block_hashes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "catalog/storage/sections.h"
#include "catalog/storage/statement.h"

namespace tonearm {
namespace {

using catalog::throw_damaged;

static_assert(sizeof(catalog::Trailer) == kSnapshotEndBytes);

/// The hashes of so many blocks fill a block themselves.
constexpr std::uint64_t kHashesPerBlock = kBlockBytes / sizeof(Sha256);

/// Returns the number of blocks that have a hash. They and their hashes precede the directory.
std::uint64_t block_count(const catalog::Footer& footer) {
  constexpr std::uint64_t kStride = kBlockBytes + sizeof(Sha256);
  const std::uint64_t count = footer.directory_offset / kStride;
  const std::uint64_t pieces = (count + kHashesPerBlock - 1) / kHashesPerBlock;
  const std::uint64_t directory_size = sizeof(catalog::Directory) + pieces * sizeof(Sha256);
  const bool is_complete = footer.directory_offset % kStride == 0 && footer.directory_size == directory_size &&
                           footer.directory_offset + directory_size + kSnapshotEndBytes == footer.file_size;
  if (count == 0 || count > std::numeric_limits<std::uint32_t>::max() || !is_complete) {
    throw_damaged("its hashes do not follow its sections");
  }
  return count;
}

}  // namespace

std::uint64_t BlockHashes::offset_in(std::string_view end, std::uint64_t file_size) {
  return block_count(catalog::read_trailer(end, file_size).footer) * kBlockBytes;
}

BlockHashes::BlockHashes(std::string tail, std::uint64_t file_size, Hashing& hashing)
    : tail_(std::move(tail)),
      file_size_(file_size),
      count_(static_cast<std::uint32_t>(offset_in(tail_, file_size) / kBlockBytes)) {
  if (tail_.size() != file_size - count_ * kBlockBytes) throw_damaged("its hashes are truncated");
  const catalog::Footer footer = catalog::read_trailer(tail_, file_size).footer;
  const std::string_view hashes = std::string_view(tail_).substr(0, std::size_t{count_} * sizeof(Sha256));
  const std::string_view directory =
      std::string_view(tail_).substr(hashes.size(), static_cast<std::size_t>(footer.directory_size));
  if (hashing.sha256(directory) != footer.directory_hash) throw_damaged("its directory differs from its hash");
  const std::string_view upper = directory.substr(sizeof(catalog::Directory));
  for (std::size_t at = 0; at < hashes.size(); at += kBlockBytes) {
    const Sha256 hash = hashing.sha256(hashes.substr(at, kBlockBytes));
    if (std::memcmp(hash.data(), upper.data() + at / kBlockBytes * sizeof hash, sizeof hash) != 0) {
      throw_damaged("its block hashes differ from their hashes");
    }
  }
}

const Sha256& BlockHashes::hash(std::uint32_t number) const {
  // An array of bytes has no alignment.
  return *static_cast<const Sha256*>(static_cast<const void*>(tail_.data() + std::size_t{number} * sizeof(Sha256)));
}

bool BlockHashes::matches(std::uint32_t number, std::string_view block, Hashing& hashing) const {
  return block.size() == kBlockBytes && hashing.sha256(block) == hash(number);
}

std::string BlockHashes::version() const {
  return catalog::version_of(catalog::read_trailer(tail_, file_size_).footer.content_hash);
}

std::optional<SignatureClaim> BlockHashes::signature() const {
  return catalog::claim_of(catalog::read_trailer(tail_, file_size_));
}

}  // namespace tonearm
