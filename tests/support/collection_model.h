#pragma once
// Collections as a few maps and lists, written from the specification without looking at how they are stored, and a
// driver that makes several writers do random operations on both. For any sql::Store.

#include <cstdint>

#include "fakes.h"
#include "tonearm/sql.h"

namespace tonearm::test {

struct ModelRun {
  std::uint64_t operations = 0;
  std::uint64_t changes = 0;   // operations that changed something
  std::uint64_t refusals = 0;  // operations that were answered with an error
};

/// Runs `operations` random operations of several writers (each with what it read last) on several accounts against the
/// store and the model; throws std::runtime_error at the first difference, saying which operation it was. The store
/// must have the tables of the state (state/schema.h) and be used by nobody else.
ModelRun drive_collections(sql::Store& store, FakeClock& clock, std::uint64_t seed, std::uint64_t operations);

}  // namespace tonearm::test
