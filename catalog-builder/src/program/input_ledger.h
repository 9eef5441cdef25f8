#pragma once
// What a build reads, for the snapshot's manifest (BUILD-21): each file with its size and SHA-256, taken before it is
// read, and looked at again after.

#include <string>
#include <vector>

#include "files/pinned_file.h"
#include "program/build.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::builder {

class InputLedger {
 public:
  /// Of a folder with more files the manifest has one entry for all of them.
  static constexpr std::size_t kNamedMax = 64;

  /// Reads all files once. Throws Failure for one that cannot be read, and, where the snapshot is to be signed, for one
  /// that can be read only once, such as a pipe.
  InputLedger(const BuildOptions& options, Hashing& hashing, native::Progress& progress);

  /// In the order of the command line: inputs and mappings, then policy and synonyms. No name says where the file was.
  const std::vector<SnapshotInput>& entries() const { return entries_; }
  /// Throws Failure if a file is another one than that which was hashed.
  void check_unchanged() const;

 private:
  struct Seen {
    std::string path;
    native::FileMark mark;
  };

  void add_source(const InputChoice& input);
  void add_file(std::string role, std::string source, std::string name, const std::string& path);
  /// Size and hash of a file; no hash for what is no regular file.
  SnapshotInput hashed(const std::string& path);

  Hashing& hashing_;
  native::Progress& progress_;
  bool is_signed_;
  std::vector<SnapshotInput> entries_;
  std::vector<Seen> seen_;
};

}  // namespace tonearm::builder
