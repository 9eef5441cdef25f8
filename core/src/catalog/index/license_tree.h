#pragma once
// The section `license_tree`: the Merkle tree over the license records of all tracks (docs/snapshot-format.md). The
// lowest stored nodes are those of whole track blocks, whose leaves follow from the tracks. Constant, safe for
// concurrent use. Throws CatalogDamaged if the file is damaged.

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/storage/extent.h"
#include "tonearm/license_receipt.h"

namespace tonearm::catalog {

/// Encodes the section. `lowest`: the root of each track block's leaves, by position.
struct EncodedLicenseTree {
  std::string section;
  Sha256 root{};
};
EncodedLicenseTree encode_license_tree(std::vector<Sha256> lowest, Hashing& hashing);

class LicenseTree {
 public:
  /// The section must outlive the object. `track_blocks`: their number.
  LicenseTree(const Extent& section, std::uint32_t track_blocks) : section_(section), lowest_count_(track_blocks) {}

  /// Appends the path from a track block's node to the root, and returns the root. REQUIRES: the block exists.
  Sha256 ascend(std::uint32_t track_block, const Sha256& node, Hashing& hashing, std::vector<PathStep>& path) const;
  /// Returns the root of the highest stored row.
  Sha256 root(Hashing& hashing) const;
  /// For a remote file: adds what `ascend` reads.
  void add_ranges(std::uint32_t track_block, std::vector<FileRange>& ranges) const;

 private:
  /// Visits the stored siblings of the block's node and of its ancestors: the start of each group in the section, its
  /// size in nodes, and the index of the node in it.
  template <class Visit>
  void each_group(std::uint32_t track_block, const Visit& visit) const;

  std::vector<Sha256> nodes_at(std::uint64_t offset, std::uint64_t count) const;

  Extent section_;
  std::uint32_t lowest_count_;
};

}  // namespace tonearm::catalog
