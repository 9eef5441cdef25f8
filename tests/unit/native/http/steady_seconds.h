#pragma once
// Points in time for the tests of deadlines, in seconds after a start.

#include "http/phase_deadline.h"

namespace tonearm::native {

constexpr Steady::time_point kStart{std::chrono::seconds(1'000)};

inline Steady::time_point at(int second) { return kStart + std::chrono::seconds(second); }

}  // namespace tonearm::native
