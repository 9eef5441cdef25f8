#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "allocations.h"

int main(int argc, char** argv) {
  tonearm::test::install_sqlite_allocator();
  return doctest::Context(argc, argv).run();
}
