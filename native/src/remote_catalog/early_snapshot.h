#pragma once
// A snapshot that is read before all of its blocks are on disk. A read of a missing block notes it and throws
// BlocksMissing; the caller replays what it did once the block has arrived. One thread at a time may use it, but what
// `bytes` returned stays valid as long as the object, for any thread.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "remote_catalog/block_file.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::native {

class EarlySnapshot final : public SnapshotFile, public SqliteSnapshot {
 public:
  explicit EarlySnapshot(std::shared_ptr<const BlockFile> file);
  EarlySnapshot(const EarlySnapshot&) = delete;
  EarlySnapshot& operator=(const EarlySnapshot&) = delete;

  const SnapshotFile& file() const override { return *this; }
  sql::SqliteHandle connect() const override;
  std::uint64_t size() const override { return blocks_->hashes().file_size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  void prefetch(std::span<const FileRange> ranges) const override;
  BlockTable* blocks() const override { return table_.get(); }

  /// Returns the blocks that were missing since the last call, even if SQLite reported that as an error.
  std::vector<std::uint32_t> take_missing() const;

 private:
  /// Notes the missing blocks of a range.
  void note_missing(std::uint64_t offset, std::uint64_t size) const;

  std::shared_ptr<const BlockFile> blocks_;
  std::unique_ptr<BlockTable> table_;
  mutable std::vector<std::uint32_t> missing_;
};

}  // namespace tonearm::native
