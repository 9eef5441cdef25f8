#include "allocations.h"

#include <sqlite3.h>

#include <cstdlib>
#include <new>
#include <stdexcept>

namespace tonearm::test {

namespace {

bool fails(Allocator allocator) {
  const AllocationFailures& failures = allocation_failures();
  return failures.plan != nullptr && failures.allocator == allocator && failures.plan->next_fails();
}

/// SQLite's own allocator.
sqlite3_mem_methods& original() {
  static sqlite3_mem_methods methods{};
  return methods;
}

void* allocate(int size) { return fails(Allocator::sqlite) ? nullptr : original().xMalloc(size); }
void* reallocate(void* old, int size) { return fails(Allocator::sqlite) ? nullptr : original().xRealloc(old, size); }

}  // namespace

AllocationFailures& allocation_failures() {
  static AllocationFailures failures;
  return failures;
}

void install_sqlite_allocator() {
  bool is_installed = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original()) == SQLITE_OK;
  sqlite3_mem_methods methods = original();
  methods.xMalloc = allocate;
  methods.xRealloc = reallocate;
  is_installed = is_installed && sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
  if (!is_installed) throw std::logic_error("SQLite was used before its allocator was replaced");
}

}  // namespace tonearm::test

// The replaced functions of the C++ library. NOLINTBEGIN(*-new-delete-overloads)
void* operator new(std::size_t size) {
  void* const memory = tonearm::test::fails(tonearm::test::Allocator::operator_new) ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return tonearm::test::fails(tonearm::test::Allocator::operator_new) ? nullptr : std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(*-new-delete-overloads)
