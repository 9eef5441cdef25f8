#include "remote_catalog/early_snapshot.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "tonearm/paged_file.h"
#include "tonearm/snapshot_vfs.h"

namespace tonearm::native {
namespace {

constexpr const char* kVfsName = "tonearm-early";

/// Registers the VFS once: SQLite's own one, with other files.
void register_vfs() {
  static std::once_flag once;
  std::call_once(once, [] {
    // SQLite chains its VFSs through this object, so it cannot be constant.
    static sqlite3_vfs vfs = snapshot_vfs(*sqlite3_vfs_find(nullptr), kVfsName);
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) throw sql::Failure("SQLite accepts no further VFS");
  });
}

/// Points into the mapped file.
class MappedBlocks final : public BlockTable {
 public:
  explicit MappedBlocks(const EarlySnapshot& snapshot) : BlockTable(snapshot.size()), snapshot_(snapshot) {}

 private:
  const char* fetch(std::size_t number) override {
    const auto offset = std::uint64_t{number} * kBlockBytes;
    const auto size = std::min(kBlockBytes, snapshot_.size() - offset);
    blocks_[number] = snapshot_.bytes(offset, size).data();
    return blocks_[number];
  }

  const EarlySnapshot& snapshot_;
};

}  // namespace

EarlySnapshot::EarlySnapshot(std::shared_ptr<const BlockFile> file)
    : blocks_(std::move(file)), table_(std::make_unique<MappedBlocks>(*this)) {}

sql::SqliteHandle EarlySnapshot::connect() const {
  register_vfs();
  return sql::open_sqlite(vfs_name(*this), sql::OpenMode::read_only_immutable, kVfsName);
}

void EarlySnapshot::note_missing(std::uint64_t offset, std::uint64_t size) const {
  if (size == 0) return;
  const auto last = std::min((offset + size - 1) / kBlockBytes, (this->size() - 1) / kBlockBytes);
  for (auto number = offset / kBlockBytes; number <= last; ++number) {
    if (!blocks_->has(static_cast<std::uint32_t>(number))) missing_.push_back(static_cast<std::uint32_t>(number));
  }
}

std::string_view EarlySnapshot::bytes(std::uint64_t offset, std::uint64_t size) const {
  note_missing(offset, size);
  if (!missing_.empty()) throw BlocksMissing{};
  return blocks_->bytes().substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

void EarlySnapshot::prefetch(std::span<const FileRange> ranges) const {
  for (const auto& [offset, size] : ranges) note_missing(offset, size);
  if (!missing_.empty()) throw BlocksMissing{};
}

std::vector<std::uint32_t> EarlySnapshot::take_missing() const {
  auto missing = std::exchange(missing_, {});
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

}  // namespace tonearm::native
