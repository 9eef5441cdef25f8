#pragma once
// A remote snapshot: the file is fetched block by block, for hosts that cannot load all of it. Used by one thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "tonearm/snapshot_file.h"

namespace tonearm {

/// Provides the blocks of a file. Block n contains the bytes from n * kBlockBytes.
class BlockSource {
 public:
  struct Request {
    std::uint32_t block = 0;
    char* into = nullptr;  // has space for kBlockBytes; the last block of a file fills less
  };
  virtual ~BlockSource() = default;
  /// Fills all buffers, in ascending order of blocks, before it returns. A host that cannot block throws BlocksMissing
  /// instead: the caller replays the same request once the blocks are fetched, and keeps every block that it fetched
  /// for a request until the request ends. Throws Failure if the blocks cannot be fetched or do not match the hashes of
  /// the file.
  virtual void fetch(std::span<const Request> requests) = 0;
  /// As SnapshotFile::partial_results.
  virtual PartialResults* partial_results() { return nullptr; }
};

/// Thrown if a request needs blocks that are not resident and its host cannot block. The request must be replayed from
/// its start.
struct BlocksMissing {};

class PagedFile final : public SnapshotFile {
 public:
  /// `source` must outlive the file. `blocks_max`: the largest number of resident blocks, at least 8.
  PagedFile(std::uint64_t size, BlockSource& source, std::size_t blocks_max);
  ~PagedFile() override;
  PagedFile(const PagedFile&) = delete;
  PagedFile& operator=(const PagedFile&) = delete;

  std::uint64_t size() const override { return size_; }
  /// Valid until `end_request`; nothing is fetched twice before that. Contiguous copies of up to several megabytes may
  /// be cached for later requests.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  void copy(std::uint64_t offset, std::span<char> out) const override;
  void prefetch(std::span<const FileRange> ranges) const override;
  BlockTable* blocks() const override;
  PartialResults* partial_results() const override;

  /// Releases what `bytes` returned. Call it after a request is answered, and before it is replayed.
  void end_request() const;
  std::size_t resident_blocks() const;

 private:
  class Cache;

  const std::uint64_t size_;
  const std::unique_ptr<Cache> cache_;
};

}  // namespace tonearm
