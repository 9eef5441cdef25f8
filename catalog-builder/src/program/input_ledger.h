#pragma once
// Records the files that a build reads for the manifest of the snapshot (BUILD-21): size and SHA-256 before the build,
// and whether a file has changed during the build.

#include <string>
#include <vector>

#include "files/pinned_file.h"
#include "program/build.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::builder {

class InputLedger {
 public:
  /// A folder with more files has one entry in the manifest.
  static constexpr std::size_t kNamedMax = 64;

  /// Hashes all files. Throws Failure for a file that is not readable and, if the snapshot will be signed, for a file
  /// that can be read only once, such as a pipe.
  InputLedger(const BuildOptions& options, Hashing& hashing, native::Progress& progress);

  /// Returns inputs and mappings in the order of the command line, then policy, take-downs, links and synonyms. Names
  /// contain no folders of the machine.
  const std::vector<SnapshotInput>& entries() const { return entries_; }
  /// Throws Failure if a file has changed since it was hashed.
  void check_unchanged() const;

 private:
  struct HashedFile {
    std::string path;
    native::FileMark mark;
  };

  void add_source(const InputChoice& input);
  void add_file(std::string role, std::string source, std::string name, const std::string& path);
  /// Returns the size and hash of a file, without a hash if it is not a regular file.
  SnapshotInput hash_file(const std::string& path);

  Hashing& hashing_;
  native::Progress& progress_;
  bool is_signed_;
  std::vector<SnapshotInput> entries_;
  std::vector<HashedFile> hashed_files_;
};

}  // namespace tonearm::builder
