#pragma once
// Makes allocations of this program fail: those of SQLite, and operator new. Used by one thread.

#include <cstdint>

namespace tonearm::test {

enum class Allocator : std::uint8_t { sqlite, operator_new };

/// Chooses which calls of a kind fail.
struct FaultPlan {
  std::uint64_t first = 0;  // counted from 1
  bool further = false;     // all after it fail too
  std::uint64_t seen = 0;
  std::uint64_t failed = 0;

  bool next_fails() {
    ++seen;
    const bool fails = further ? seen >= first : seen == first;
    failed += fails ? 1U : 0U;
    return fails;
  }
};

struct AllocationFaults {
  Allocator allocator = Allocator::sqlite;
  FaultPlan* plan = nullptr;  // null: none fails
};

/// The faults of this program.
AllocationFaults& allocation_faults();

/// Suspends the faults in a scope that is no part of the tested program.
class WithoutAllocationFaults {
 public:
  WithoutAllocationFaults() : plan_(allocation_faults().plan) { allocation_faults().plan = nullptr; }
  ~WithoutAllocationFaults() { allocation_faults().plan = plan_; }
  WithoutAllocationFaults(const WithoutAllocationFaults&) = delete;
  WithoutAllocationFaults& operator=(const WithoutAllocationFaults&) = delete;

 private:
  FaultPlan* plan_;
};

/// Lets SQLite allocate through this file. Must be called before any other use of SQLite.
void install_sqlite_allocator();

}  // namespace tonearm::test
