#pragma once
// Makes allocations of this program fail: those of SQLite, and operator new. Used by one thread.

#include <cstdint>

namespace tonearm::test {

enum class Allocator : std::uint8_t { sqlite, operator_new };

/// Chooses which calls of a kind fail.
struct FailurePlan {
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

struct AllocationFailures {
  Allocator allocator = Allocator::sqlite;
  FailurePlan* plan = nullptr;  // null: none fails
};

/// The failures of this program.
AllocationFailures& allocation_failures();

/// Suspends the failures in a scope that is no part of the tested program.
class WithoutAllocationFailures {
 public:
  WithoutAllocationFailures() : plan_(allocation_failures().plan) { allocation_failures().plan = nullptr; }
  ~WithoutAllocationFailures() { allocation_failures().plan = plan_; }
  WithoutAllocationFailures(const WithoutAllocationFailures&) = delete;
  WithoutAllocationFailures& operator=(const WithoutAllocationFailures&) = delete;

 private:
  FailurePlan* plan_;
};

/// Lets SQLite allocate through this file. Must be called before any other use of SQLite.
void install_sqlite_allocator();

}  // namespace tonearm::test
