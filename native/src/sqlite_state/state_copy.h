#pragma once
// A consistent copy of the embedded state (ADMIN-6, backup), made while the server writes.

#include <memory>
#include <string>

#include "tonearm/http.h"

namespace tonearm::native {

/// Copies the state at `path` into a file beside it that nobody else can open and that is gone with the returned
/// source. Reads in one transaction of an own connection, so no writer waits. Thread-safe. Throws sql::Failure or
/// std::runtime_error, and leaves nothing behind.
std::shared_ptr<BodySource> copy_state(const std::string& path);

/// Removes what copies of the state a process left that was killed in the middle of one. REQUIRES: the state's lock is
/// held.
void remove_old_copies(const std::string& path);

}  // namespace tonearm::native
