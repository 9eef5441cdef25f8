#include "tonearm/snapshot_vfs.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

namespace tonearm {
namespace {

/// What SQLite stores of an open file.
struct OpenFile {
  sqlite3_file base;
  const SnapshotFile* snapshot;
};

const SnapshotFile& snapshot_of(sqlite3_file* file) {
  // SQLite passes the memory that `open_snapshot` initialized as an OpenFile.
  return *static_cast<OpenFile*>(static_cast<void*>(file))->snapshot;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  const auto& snapshot = snapshot_of(file);
  const std::span<char> target(static_cast<char*>(out), static_cast<std::size_t>(size));
  const auto at = static_cast<std::uint64_t>(offset);
  const auto left = at < snapshot.size() ? snapshot.size() - at : 0;
  const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), left));
  try {
    if (there > 0) snapshot.copy(at, target.first(there));
  } catch (...) {  // such as BlocksMissing: no exception may pass through SQLite
    return SQLITE_IOERR_READ;
  }
  if (there == target.size()) return SQLITE_OK;
  std::memset(target.data() + there, 0, target.size() - there);
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

int open_snapshot(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags, int* flags_out) {
  file->pMethods = nullptr;
  const bool is_snapshot = (flags & SQLITE_OPEN_MAIN_DB) != 0 && (flags & SQLITE_OPEN_READONLY) != 0;
  if (name == nullptr || !is_snapshot) return SQLITE_CANTOPEN;
  const std::string_view text(name);
  std::uintptr_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address);
  if (error != std::errc() || end != text.data() + text.size()) return SQLITE_CANTOPEN;
  // SQLite passes only a name, which `vfs_name` wrote.
  static_cast<OpenFile*>(static_cast<void*>(file))->snapshot =
      reinterpret_cast<const SnapshotFile*>(address);  // NOLINT(performance-no-int-to-ptr)
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

}  // namespace

sqlite3_vfs snapshot_vfs(const sqlite3_vfs& base, const char* name) {
  sqlite3_vfs vfs = base;
  vfs.zName = name;
  vfs.szOsFile = sizeof(OpenFile);
  vfs.xOpen = open_snapshot;
  vfs.xDelete = remove_file;
  vfs.xAccess = access_file;
  vfs.xFullPathname = full_name;
  return vfs;
}

std::string vfs_name(const SnapshotFile& file) { return std::to_string(reinterpret_cast<std::uintptr_t>(&file)); }

}  // namespace tonearm
