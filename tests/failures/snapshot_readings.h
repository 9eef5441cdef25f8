#pragma once
// A small snapshot with some of everything, and readings that use every part of it.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/catalog.h"
#include "tonearm/ports.h"

namespace tonearm::test {

std::string small_snapshot(Hashing& hashing);

/// A use of a catalog. The text describes its whole result.
struct Reading {
  std::string_view name;
  std::function<std::string(const Catalog&)> read;
};
const std::vector<Reading>& readings();

}  // namespace tonearm::test
