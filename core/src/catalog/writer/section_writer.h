#pragma once
// Writes the rest of a snapshot after its database: sections, block hashes, directory and footer.

#include <optional>

#include "catalog/storage/sections.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {

class SectionWriter {
 public:
  /// `database_bytes`: the size of the file so far.
  SectionWriter(SnapshotOutput& output, Hashing& hashing, std::uint64_t database_bytes);

  /// REQUIRES: every section begins once, in the order of SectionId.
  void begin(SectionId id);
  void append(std::string_view bytes);
  /// Returns the sections so far. `file`: what was written so far. It must outlive the result.
  Sections written(const SnapshotFile& file);
  /// Writes the rest of the file, signed if the signer has a key. Returns the content hash.
  Sha256 finish(const Sha256& tables, const Sha256& license_root, const SnapshotSigner& signer = {});

 private:
  void fill_to(std::uint64_t boundary);
  void end_section();

  SnapshotOutput& output_;
  Hashing& hashing_;
  std::uint64_t size_;
  std::uint64_t first_block_;  // of the sections
  std::optional<SectionId> open_;
  Directory directory_;
  std::string block_;  // an incomplete block
  std::string block_hashes_;
};

}  // namespace tonearm::catalog
