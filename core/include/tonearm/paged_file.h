#pragma once
// A snapshot's file that is fetched block by block, for hosts that cannot hold all of it. Of one thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "tonearm/snapshot_file.h"

namespace tonearm {

/// Where the blocks of a file come from: number n holds the bytes from n * kBlockBytes on.
class BlockSource {
 public:
  struct Wanted {
    std::uint32_t block = 0;
    char* into = nullptr;  // room for kBlockBytes; the last block of a file fills less
  };
  virtual ~BlockSource() = default;
  /// Fills all of them, by ascending number. Returns when they are there; where the host cannot wait, throws
  /// BlocksMissing: the same request is to be made again later. Throws sql::Failure where they cannot be had, or are
  /// not what the file's hashes say.
  virtual void fetch(std::span<const Wanted> wanted) = 0;
};

/// A request met blocks that are not at hand, and its host cannot wait within it: it is to run again from its begin.
struct BlocksMissing {};

class PagedFile final : public SnapshotFile {
 public:
  using Connect = std::function<sql::SqliteHandle()>;
  /// `source` outlives the file. `blocks_max`: how many are kept at hand, at least 8; a request that runs again for
  /// want of blocks may keep more. `connect` gives what SnapshotFile::connect does.
  PagedFile(std::uint64_t size, BlockSource& source, std::size_t blocks_max, Connect connect);
  ~PagedFile() override;
  PagedFile(const PagedFile&) = delete;
  PagedFile& operator=(const PagedFile&) = delete;

  sql::SqliteHandle connect() const override { return connect_(); }
  std::uint64_t size() const override { return size_; }
  /// Valid until `end_request`: what was read once is not fetched again before. What had to be copied for it may stay
  /// for later requests too, up to some megabytes.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  void copy(std::uint64_t offset, std::span<char> out) const override { (void)read(offset, out); }
  void expect(std::span<const FileRange> ranges) const override;
  BlockTable* blocks() const override;

  /// Copies what there is from `offset` on; gives how much that was. For SQLite.
  std::size_t read(std::uint64_t offset, std::span<char> out) const;
  /// Lets go of what `bytes` gave. To be called when a request is answered, not where it has to run again.
  void end_request() const;
  std::size_t blocks_at_hand() const;

 private:
  class Cache;

  const std::uint64_t size_;
  const Connect connect_;
  const std::unique_ptr<Cache> cache_;
};

}  // namespace tonearm
