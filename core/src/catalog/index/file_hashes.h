#pragma once
// Finds the tracks of a file by its SHA-256 (docs/snapshot-format.md, `file_hashes`). Constant once opened, safe for
// concurrent use. Throws CatalogDamaged if the file is damaged.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/sparse_index.h"
#include "tonearm/ports.h"

namespace tonearm::catalog {

/// A file's hash and one of its tracks.
struct FileHash {
  Sha256 hash{};
  std::uint32_t position = 0;

  friend bool operator==(const FileHash&, const FileHash&) = default;
  friend bool operator<(const FileHash& a, const FileHash& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.position < b.position;
  }
};
static_assert(sizeof(FileHash) == 36);

/// Encodes the section: sorted, without duplicates.
std::string encode_file_hashes(std::vector<FileHash> hashes);

class FileHashes {
 public:
  /// The section must outlive the object.
  explicit FileHashes(const Extent& section);

  std::uint32_t size() const { return count_; }
  FileHash at(std::uint32_t number) const;
  /// Returns the positions of the file's tracks, ascending.
  std::vector<std::uint32_t> tracks_of(const Sha256& hash) const;
  /// For a remote file: adds the range that contains the hash if any does.
  void add_range(const Sha256& hash, std::vector<FileRange>& ranges) const;

 private:
  std::uint32_t count_;
  SparseIndex sparse_;
  Extent entries_;
};

}  // namespace tonearm::catalog
