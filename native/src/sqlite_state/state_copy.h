#pragma once
// Makes a consistent copy of the embedded state while the server writes (ADMIN-6, backup).

#include <memory>
#include <string>

#include "tonearm/http.h"

namespace tonearm::native {

/// Copies the state at `path` into an unnamed file beside it, which only this process can open and which disappears
/// with the returned source. Reads in one transaction on a separate connection, so no writer waits. Thread-safe. Throws
/// sql::Failure or std::runtime_error, and then leaves no file.
std::shared_ptr<BodySource> copy_state(const std::string& path);

/// Removes unfinished copies that a killed process left. REQUIRES: the caller holds the state's lock.
void remove_old_copies(const std::string& path);

}  // namespace tonearm::native
