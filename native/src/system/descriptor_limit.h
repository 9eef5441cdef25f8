#pragma once
// The limit of open files and sockets of the process.

#include <cstddef>

namespace tonearm::native {

/// Raises the soft limit to `wanted`, or as far as the hard limit allows; never lowers it. Returns the current limit.
/// Call it before threads start. Throws std::system_error.
std::size_t raise_descriptor_limit(std::size_t wanted);

}  // namespace tonearm::native
