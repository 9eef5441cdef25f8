#include "remote_catalog/early_snapshot.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "tonearm/paged_file.h"

namespace tonearm::native {
namespace {

constexpr const char* kVfsName = "tonearm-early";

/// What SQLite stores of an open file.
struct OpenFile {
  sqlite3_file base;
  const EarlySnapshot* snapshot;
};

const EarlySnapshot& snapshot_of(sqlite3_file* file) {
  // SQLite passes the memory that `open_file` initialized as an OpenFile.
  return *static_cast<OpenFile*>(static_cast<void*>(file))->snapshot;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  const auto& snapshot = snapshot_of(file);
  const std::span<char> target(static_cast<char*>(out), static_cast<std::size_t>(size));
  const auto at = static_cast<std::uint64_t>(offset);
  const auto there = at < snapshot.size() ? std::min<std::uint64_t>(target.size(), snapshot.size() - at) : 0;
  try {
    snapshot.copy(at, target.first(static_cast<std::size_t>(there)));
  } catch (const BlocksMissing&) {
    return SQLITE_IOERR_READ;  // the snapshot has noted the blocks
  }
  if (there == target.size()) return SQLITE_OK;
  std::memset(target.data() + there, 0, target.size() - static_cast<std::size_t>(there));
  return SQLITE_IOERR_SHORT_READ;
}

int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(snapshot_of(file).size());
  return SQLITE_OK;
}

int close_file(sqlite3_file* /*file*/) { return SQLITE_OK; }
int write_file(sqlite3_file* /*file*/, const void* /*data*/, int /*size*/, sqlite3_int64 /*offset*/) {
  return SQLITE_READONLY;
}
int truncate_file(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) { return SQLITE_READONLY; }
int sync_file(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }
int lock_file(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
int check_lock(sqlite3_file* /*file*/, int* locked) {
  *locked = 0;
  return SQLITE_OK;
}
int control_file(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
int sector_bytes(sqlite3_file* /*file*/) { return 0; }
int characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_IMMUTABLE; }

constexpr sqlite3_io_methods kFileMethods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = lock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_bytes,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open_file(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags, int* flags_out) {
  file->pMethods = nullptr;
  const bool is_snapshot = (flags & SQLITE_OPEN_MAIN_DB) != 0 && (flags & SQLITE_OPEN_READONLY) != 0;
  if (name == nullptr || !is_snapshot) return SQLITE_CANTOPEN;
  const std::string_view text(name);
  std::uintptr_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address);
  if (error != std::errc() || end != text.data() + text.size()) return SQLITE_CANTOPEN;
  // SQLite passes only a name, which is the address of the snapshot.
  static_cast<OpenFile*>(static_cast<void*>(file))->snapshot =
      reinterpret_cast<const EarlySnapshot*>(address);  // NOLINT(performance-no-int-to-ptr)
  file->pMethods = &kFileMethods;
  if (flags_out != nullptr) *flags_out = flags;
  return SQLITE_OK;
}

int remove_file(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync_folder*/) { return SQLITE_READONLY; }

/// A snapshot never has a journal.
int access_file(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* found) {
  *found = 0;
  return SQLITE_OK;
}

int full_name(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

/// Registers the VFS once: SQLite's own one, with other files.
void register_vfs() {
  static std::once_flag once;
  std::call_once(once, [] {
    // SQLite chains its VFSs through this object, so it cannot be constant.
    static sqlite3_vfs vfs = *sqlite3_vfs_find(nullptr);
    vfs.zName = kVfsName;
    vfs.szOsFile = sizeof(OpenFile);
    vfs.xOpen = open_file;
    vfs.xDelete = remove_file;
    vfs.xAccess = access_file;
    vfs.xFullPathname = full_name;
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
  return sql::open_sqlite(std::to_string(reinterpret_cast<std::uintptr_t>(this)), sql::OpenMode::read_only_immutable,
                          kVfsName);
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
