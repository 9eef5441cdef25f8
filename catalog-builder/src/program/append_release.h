#pragma once
// `tonearm-catalog log`: appends a signed snapshot to the log of releases (PROGRAM-29).

#include <string>

namespace tonearm::builder {

/// Appends a line for the snapshot, unless it is already the last one. The log is created if it is missing, and
/// replaced in one step. Returns what was done, as a line. Throws Failure if the snapshot has no valid signature, or if
/// the log is damaged or being written; the log then stays as it is.
std::string append_release(const std::string& snapshot, const std::string& log);

}  // namespace tonearm::builder
