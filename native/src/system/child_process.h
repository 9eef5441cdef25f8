#pragma once
// Runs another program of this installation.

#include <string>
#include <vector>

namespace tonearm::native {

/// Returns the path of a program in the folder of the running one. Throws Failure.
std::string sibling_program(const std::string& name);

/// Runs a program without a shell, with this process's environment and standard streams, and waits for its end. SIGINT
/// and SIGTERM end both processes. Returns the exit status. Throws Failure if it does not start or a signal ended
/// it. Call it before threads start.
int run_program(const std::string& path, const std::vector<std::string>& arguments);

}  // namespace tonearm::native
