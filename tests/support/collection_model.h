#pragma once
// Models collections as a few maps and lists, written from the specification without looking at the stored form. A
// driver lets several writers run random operations on both. Works with any sql::Store.

#include <cstdint>

#include "fakes.h"
#include "tonearm/sql.h"

namespace tonearm::test {

struct ModelRun {
  std::uint64_t operations = 0;
  std::uint64_t changes = 0;   // operations that changed something
  std::uint64_t refusals = 0;  // operations that returned an error
};

/// Runs `operations` random operations of several writers, each with its last read, on several accounts against the
/// store and the model. Throws std::runtime_error that names the first operation that differs. The store must have the
/// tables of the state (state/schema.h) and no other users.
ModelRun drive_collections(sql::Store& store, FakeClock& clock, std::uint64_t seed, std::uint64_t operations);

}  // namespace tonearm::test
