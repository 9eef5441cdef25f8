#pragma once
// Writes what follows the database of a snapshot: sections, hashes of blocks, directory and footer.

#include <optional>

#include "catalog/storage/sections.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {

class SectionWriter {
 public:
  /// `database_bytes`: how much of the file there is already.
  SectionWriter(SnapshotOutput& output, Hashing& hashing, std::uint64_t database_bytes);

  /// REQUIRES: every section is begun once, in the order of SectionId.
  void begin(SectionId id);
  void append(std::string_view bytes);
  template <class Value>
  void append_array(std::span<const Value> values) {
    append(as_bytes(values));
  }
  /// Writes the rest of the file, signed where there is a key; returns the content hash.
  Sha256 finish(const Sha256& tables, const Signing* signing = nullptr);

 private:
  void fill_to(std::uint64_t boundary);
  void end_section();

  SnapshotOutput& output_;
  Hashing& hashing_;
  std::uint64_t size_;
  std::uint64_t first_block_;  // of the sections
  std::optional<SectionId> open_;
  Directory directory_;
  std::string block_;  // not yet whole
  std::string block_hashes_;
};

}  // namespace tonearm::catalog
