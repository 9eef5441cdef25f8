#pragma once
// How many files and sockets the process may have open.

#include <cstddef>

namespace tonearm::native {

/// Raises the soft limit to `wanted`, or as far as the hard limit allows; never lowers it. Returns what holds now. Call
/// it before threads start. Throws std::system_error.
std::size_t raise_descriptor_limit(std::size_t wanted);

}  // namespace tonearm::native
