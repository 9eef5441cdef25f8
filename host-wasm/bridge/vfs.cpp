// The read-only VFS "tonearm", which reads snapshots in blocks. It is also the default VFS for in-memory databases,
// which need only its clock and its random bytes.

#include <sqlite3.h>

#include <cstring>

#include "imports.h"
#include "tonearm/snapshot_vfs.h"

namespace {

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

/// What a VFS needs besides files.
constexpr sqlite3_vfs kSystem = {
    .iVersion = 2,
    .szOsFile = 0,
    .mxPathname = 64,
    .pNext = nullptr,
    .zName = nullptr,
    .pAppData = nullptr,
    .xOpen = nullptr,
    .xDelete = nullptr,
    .xAccess = nullptr,
    .xFullPathname = nullptr,
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

}  // namespace

/// SQLITE_OS_OTHER: SQLite calls these functions instead of its own.
extern "C" int sqlite3_os_init() {
  // SQLite chains its VFSs through this object, so it cannot be constant.
  static sqlite3_vfs vfs = tonearm::snapshot_vfs(kSystem, "tonearm");
  return sqlite3_vfs_register(&vfs, 1);
}

extern "C" int sqlite3_os_end() { return SQLITE_OK; }
