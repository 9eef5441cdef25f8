#pragma once
// A remote snapshot: its file is fetched block by block, for hosts that cannot hold all of it. Used by one thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tonearm/snapshot_file.h"

namespace tonearm {

/// Where the blocks of a file come from: block n holds the bytes from n * kBlockBytes on.
class BlockSource {
 public:
  struct Wanted {
    std::uint32_t block = 0;
    char* into = nullptr;  // room for kBlockBytes; the last block of a file fills less
  };
  virtual ~BlockSource() = default;
  /// Fills all of them, by ascending number, and returns when they are there. A host that cannot wait throws
  /// BlocksMissing instead: the caller replays the same request when it has them, and keeps all that it fetched for a
  /// request until that ends. Throws Failure if they cannot be fetched or do not match the hashes of the file.
  virtual void fetch(std::span<const Wanted> wanted) = 0;
};

/// A request needs blocks that are not resident, and its host cannot wait within it: it must be replayed from its
/// start.
struct BlocksMissing {};

class PagedFile final : public SnapshotFile {
 public:
  /// `source` outlives the file. `blocks_max`: how many stay resident, at least 8.
  PagedFile(std::uint64_t size, BlockSource& source, std::size_t blocks_max);
  ~PagedFile() override;
  PagedFile(const PagedFile&) = delete;
  PagedFile& operator=(const PagedFile&) = delete;

  std::uint64_t size() const override { return size_; }
  /// Valid until `end_request`: nothing is fetched twice before that. Copies that were made to be contiguous may stay
  /// for later requests too, up to some megabytes.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  void copy(std::uint64_t offset, std::span<char> out) const override { (void)read(offset, out); }
  void prefetch(std::span<const FileRange> ranges) const override;
  BlockTable* blocks() const override;

  /// Copies the bytes from `offset` on; returns how many there were. For SQLite.
  std::size_t read(std::uint64_t offset, std::span<char> out) const;
  /// Releases what `bytes` returned. Call it when a request is answered, and when it is to be replayed.
  void end_request() const;
  std::size_t resident_blocks() const;

 private:
  class Cache;

  const std::uint64_t size_;
  const std::unique_ptr<Cache> cache_;
};

}  // namespace tonearm
