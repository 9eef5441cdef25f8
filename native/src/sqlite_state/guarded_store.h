#pragma once
// The store over an embedded state's file, guarded against what can become of a file while a server uses it.

#include <memory>

#include "sqlite_state/state_lock.h"
#include "sqlite_state/state_room.h"
#include "tonearm/sql.h"

namespace tonearm::native {

/// Opens the state that `lock` holds, also on a disk that is full but for what `room` keeps. HOST-26: throws
/// sql::Failure from every transaction once the file is not in its place; none that was committed to a file that is
/// gone is told to have gone well. RECORD-10: `transact_from_reserve` works on a full disk. `lock` and `room` outlive
/// it. Throws sql::Failure or std::runtime_error.
std::unique_ptr<sql::Store> open_guarded_state(StateLock& lock, StateRoom& room, sql::Purpose purpose = sql::kState);

}  // namespace tonearm::native
