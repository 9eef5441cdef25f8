#pragma once
// A snapshot that is fetched block by block, and counts of what it fetched.

#include <algorithm>
#include <memory>
#include <string>

#include "memory_catalog.h"
#include "tonearm/paged_file.h"

namespace tonearm::test {

class CountedSnapshot final : public SqliteSnapshot, private BlockSource {
 public:
  explicit CountedSnapshot(const std::string& bytes)
      : resident_(snapshot_of_bytes(bytes)), file_(bytes.size(), *this, kBlocksKept) {}

  const SnapshotFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override { return resident_->connect(); }
  /// The number of blocks so far.
  std::size_t fetched() const { return fetched_; }
  /// How often blocks were fetched so far: each time a call waits for at least one round trip.
  std::size_t fetches() const { return fetches_; }

 private:
  static constexpr std::size_t kBlocksKept = 256;  // as the edge does

  void fetch(std::span<const Request> wanted) override {
    ++fetches_;
    fetched_ += wanted.size();
    for (const auto& [block, into] : wanted) {
      const std::uint64_t offset = block * kBlockBytes;
      const SnapshotFile& file = resident_->file();
      const std::string_view bytes = file.bytes(offset, std::min(kBlockBytes, file.size() - offset));
      std::copy(bytes.begin(), bytes.end(), into);
    }
  }

  std::shared_ptr<const SqliteSnapshot> resident_;
  std::size_t fetched_ = 0;
  std::size_t fetches_ = 0;
  PagedFile file_;
};

}  // namespace tonearm::test
