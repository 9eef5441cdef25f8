#pragma once
// The section `ids`: maps a track's id to its position. The tracks of a partition are sorted by the hashes of their
// ids. Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/index/sparse_index.h"

namespace tonearm::catalog {

class IdIndex {
 public:
  /// The sections must outlive the object.
  IdIndex(const Sections& sections, const Layout& layout);

  /// Returns the tracks that may have an id. False candidates are rare: fewer than one in thousands.
  std::vector<std::uint32_t> candidates(std::string_view id) const;
  /// For a remote file: adds what `candidates` reads.
  void add_ranges(std::string_view id, std::vector<FileRange>& ranges) const;

 private:
  struct Partition {
    std::uint32_t begin = 0;
    SparseIndex sparse;  // of the hashes' upper halves
  };
  /// The offsets of each partition's sparse index in the section; the last one is that of the fingerprints.
  struct Offsets {
    explicit Offsets(const Layout& layout);
    std::array<std::uint32_t, 5> positions{};
    std::array<std::uint64_t, 5> bytes{};
  };
  IdIndex(const Extent& section, const Offsets& offsets);

  std::array<Partition, 4> partitions_;
  Array<std::uint16_t> fingerprints_;  // by position: the lowest bits of the hash
};

/// Encodes the section. `hashes`: hash64 of the ids, by position.
std::string encode_ids(const std::vector<std::uint64_t>& hashes, const Layout& layout);

}  // namespace tonearm::catalog
