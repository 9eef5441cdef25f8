#pragma once
// Snapshots changed on purpose.

#include <functional>
#include <string>

#include "catalog/sections.h"

namespace tonearm::test {

using ChangeSection = std::function<void(catalog::SectionId, std::string&)>;

/// The snapshot after SQL changed its tables and `change` its sections, with hashes that match.
std::string operated(const std::string& bytes, const std::string& sql, const ChangeSection& change = {});

}  // namespace tonearm::test
