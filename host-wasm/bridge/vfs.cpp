// The read-only VFS "tonearm", which reads snapshots in blocks. It is also the default VFS for in-memory databases,
// which need only its clock and its random bytes.

#include "vfs.h"

#include <sqlite3.h>

#include <charconv>
#include <cstring>
#include <exception>
#include <string_view>

#include "imports.h"

namespace {

struct SnapshotFile {
  sqlite3_file base;
  const tonearm::PagedFile* paged;
};

const tonearm::PagedFile& paged(sqlite3_file* file) {
  // SQLite passes the memory that `open` initialized as a SnapshotFile.
  return *static_cast<SnapshotFile*>(static_cast<void*>(file))->paged;
}

int read(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  const std::span<char> target(static_cast<char*>(out), static_cast<std::size_t>(size));
  try {
    const std::size_t count = paged(file).read(static_cast<std::uint64_t>(offset), target);
    if (count == target.size()) return SQLITE_OK;
    std::memset(target.data() + count, 0, target.size() - count);
    return SQLITE_IOERR_SHORT_READ;
  } catch (const tonearm::BlocksMissing&) {
    return SQLITE_IOERR_READ;  // the caller of SQLite checks the snapshot for missing blocks
  } catch (const std::exception&) {
    return SQLITE_IOERR_READ;
  }
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(paged(file).size());
  return SQLITE_OK;
}

int close(sqlite3_file* /*file*/) { return SQLITE_OK; }
int write(sqlite3_file* /*file*/, const void* /*data*/, int /*size*/, sqlite3_int64 /*offset*/) {
  return SQLITE_READONLY;
}
int truncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) { return SQLITE_READONLY; }
int sync(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }
int lock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
int check_reserved_lock(sqlite3_file* /*file*/, int* locked) {
  *locked = 0;
  return SQLITE_OK;
}
int file_control(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file* /*file*/) { return 0; }
int device_characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_IMMUTABLE; }

constexpr sqlite3_io_methods kSnapshotMethods = {
    .iVersion = 1,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = file_size,
    .xLock = lock,
    .xUnlock = lock,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file, int flags, int* flags_out) {
  file->pMethods = nullptr;
  const bool snapshot = (flags & SQLITE_OPEN_MAIN_DB) != 0 && (flags & SQLITE_OPEN_READONLY) != 0;
  if (name == nullptr || !snapshot) return SQLITE_CANTOPEN;
  const std::string_view text(name);
  std::uintptr_t address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address);
  if (error != std::errc() || end != text.data() + text.size()) return SQLITE_CANTOPEN;
  // SQLite passes only a name, which is the address of the file as written by `vfs_name`.
  static_cast<SnapshotFile*>(static_cast<void*>(file))->paged =
      reinterpret_cast<const tonearm::PagedFile*>(address);  // NOLINT(performance-no-int-to-ptr)
  file->pMethods = &kSnapshotMethods;
  if (flags_out != nullptr) *flags_out = flags;
  return SQLITE_OK;
}

int remove(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync_folder*/) { return SQLITE_READONLY; }

/// A snapshot never has a journal.
int access(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* found) {
  *found = 0;
  return SQLITE_OK;
}

int full_path(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

int randomness(sqlite3_vfs* /*vfs*/, int size, char* out) {
  // SQLite uses these for temporary names and row ids, which need not be secret. Bytes from the worker would change the
  // seeded random stream of tests.
  std::memset(out, 0, static_cast<std::size_t>(size));
  return size;
}

int sleep(sqlite3_vfs* /*vfs*/, int /*microseconds*/) { return 0; }

int current_time(sqlite3_vfs* /*vfs*/, sqlite3_int64* out) {
  constexpr sqlite3_int64 kUnixEpochMs = 210'866'760'000'000;  // since noon of the first Julian day
  *out = kUnixEpochMs + static_cast<sqlite3_int64>(host_now_ms());
  return SQLITE_OK;
}

int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) { return 0; }

}  // namespace

std::string tonearm::wasm::vfs_name(const PagedFile& file) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(&file));
}

/// SQLITE_OS_OTHER: SQLite calls these functions instead of its own.
extern "C" int sqlite3_os_init() {
  // SQLite chains its VFSs through this object, so it cannot be constant.
  static sqlite3_vfs vfs = {
      .iVersion = 2,
      .szOsFile = sizeof(SnapshotFile),
      .mxPathname = 64,
      .pNext = nullptr,
      .zName = "tonearm",
      .pAppData = nullptr,
      .xOpen = open,
      .xDelete = remove,
      .xAccess = access,
      .xFullPathname = full_path,
      .xDlOpen = nullptr,
      .xDlError = nullptr,
      .xDlSym = nullptr,
      .xDlClose = nullptr,
      .xRandomness = randomness,
      .xSleep = sleep,
      .xCurrentTime = nullptr,
      .xGetLastError = last_error,
      .xCurrentTimeInt64 = current_time,
      .xSetSystemCall = nullptr,
      .xGetSystemCall = nullptr,
      .xNextSystemCall = nullptr,
  };
  return sqlite3_vfs_register(&vfs, 1);
}

extern "C" int sqlite3_os_end() { return SQLITE_OK; }
