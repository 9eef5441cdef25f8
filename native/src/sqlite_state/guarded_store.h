#pragma once
// The store on an embedded state's file, protected against removal of the file and against a full disk.

#include <memory>

#include "sqlite_state/disk_reserve.h"
#include "sqlite_state/state_lock.h"
#include "tonearm/sql.h"

namespace tonearm::native {

/// Opens the locked state, even on a disk that is full except for `reserve`. HOST-26: once the file was removed or
/// replaced, every transaction throws sql::Failure, so no commit to a removed file is reported as successful.
/// RECORD-10: `transact_from_reserve` works on a full disk. `lock` and `reserve` outlive the store. Throws sql::Failure
/// or std::runtime_error.
std::unique_ptr<sql::Store> open_guarded_state(StateLock& lock, DiskReserve& reserve,
                                               sql::Purpose purpose = sql::kState);

}  // namespace tonearm::native
