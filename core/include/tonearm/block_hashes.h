#pragma once
// The hashes of a snapshot's blocks, from the end of the file (docs/snapshot-format.md), for hosts that fetch a
// snapshot block by block and compare each block before they use it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/ports.h"
#include "tonearm/snapshot_file.h"

namespace tonearm {

/// The last bytes of a snapshot: signature and footer. Two snapshots with the same ones are the same file.
inline constexpr std::size_t kSnapshotEndBytes = 232;

/// Constant, safe for concurrent use.
class BlockHashes {
 public:
  /// Returns the offset of the block hashes, from which the constructor needs the file. `end`: the last bytes of the
  /// file, at least kSnapshotEndBytes. Throws CatalogDamaged if they are not the end of a snapshot of `file_size`
  /// bytes.
  static std::uint64_t offset_in(std::string_view end, std::uint64_t file_size);

  /// `tail`: the bytes from `offset_in` to the end of the file. Throws CatalogDamaged if they contradict the footer, so
  /// that every hash is the one that the footer proves.
  BlockHashes(std::string tail, std::uint64_t file_size, Hashing& hashing);

  std::uint64_t file_size() const { return file_size_; }
  /// The number of blocks before the tail. Each of them has kBlockBytes.
  std::uint32_t count() const { return count_; }
  /// REQUIRES: number < count().
  const Sha256& hash(std::uint32_t number) const;
  bool matches(std::uint32_t number, std::string_view block, Hashing& hashing) const;
  /// The bytes of the file from count() * kBlockBytes.
  std::string_view tail() const { return tail_; }
  /// The last kSnapshotEndBytes bytes, which identify the file.
  std::string_view end() const { return tail().substr(tail_.size() - kSnapshotEndBytes); }
  /// The first 16 hex digits of the content hash that the footer states (SERVICE-8).
  std::string version() const;
  /// The signature that the snapshot claims; nothing if it is not signed.
  std::optional<SignatureClaim> signature() const;

 private:
  std::string tail_;
  std::uint64_t file_size_;
  std::uint32_t count_;
};

}  // namespace tonearm
