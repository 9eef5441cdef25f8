#pragma once
// A snapshot on disk that is being filled block by block. Every block that it has was compared with its hash. Filling
// and reading are safe for concurrent calls.

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/block_hashes.h"
#include "tonearm/ports.h"
#include "tonearm/read_plan.h"
#include "tonearm/result.h"

namespace tonearm::native {

/// Returns the hashes at the end of a snapshot on disk, or nothing if it has no valid end. Reads only the end.
std::optional<BlockHashes> hashes_of_file(const std::string& path, Hashing& hashing);
/// Returns the last kSnapshotEndBytes bytes of a file; empty if there is no such file or it is shorter.
std::string end_of_file(const std::string& path);

/// Returns whether a snapshot on disk has no valid hashes, or a block that differs from its hash or cannot be read.
/// Throws Failure if interrupted.
bool has_damaged_block(const std::string& path, Hashing& hashing, const Interrupted& interrupted);

/// There is no space for a file.
class DiskFull final : public Failure {
  using Failure::Failure;
};

class BlockFile {
 public:
  /// Reserves the space of the whole file. If the file at `path` is the same snapshot, keeps its blocks that match
  /// their hashes, so that a process that was killed loses nothing (HOST-52); otherwise replaces it. `hashing` outlives
  /// the file. Throws DiskFull if there is no space, and Failure if interrupted.
  BlockFile(const std::string& path, BlockHashes hashes, Hashing& hashing, const Interrupted& interrupted);
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  const BlockHashes& hashes() const { return hashes_; }
  /// Blocks after the last one that has a hash are part of the end, which the file has from the start.
  bool has(std::uint32_t number) const {
    return number >= hashes_.count() || present_[number].load(std::memory_order_acquire);
  }
  std::uint32_t missing_count() const { return missing_count_; }
  /// Returns the first missing blocks from `from` on that are adjacent, at most `count_max`; count 0: none is missing.
  BlockRun next_missing(std::uint32_t from, std::uint32_t count_max) const;
  /// Stores a block. Returns false, without effect, if it does not match its hash. Throws Failure if it cannot be
  /// written.
  bool put(std::uint32_t number, std::string_view block);
  /// Makes all blocks durable. Throws Failure.
  void sync() const;
  /// Lets others read the file, which only its owner can until then. Throws Failure.
  void set_mode(mode_t mode) const;

  /// The mapped file, at the same address as long as the object. REQUIRES: only blocks that the file has are read.
  std::string_view bytes() const { return {bytes_, static_cast<std::size_t>(hashes_.file_size())}; }

 private:
  void reserve();
  void map();
  void close_file();
  void find_present(const Interrupted& interrupted);
  void write(std::string_view bytes, std::uint64_t offset) const;
  [[noreturn]] void fail(const std::string& what) const;

  const std::string path_;
  const BlockHashes hashes_;
  Hashing& hashing_;
  std::vector<std::atomic<bool>> present_;
  std::atomic<std::uint32_t> missing_count_;
  int file_ = -1;
  const char* bytes_ = nullptr;
};

}  // namespace tonearm::native
