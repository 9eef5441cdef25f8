#pragma once
// Snapshots changed on purpose.

#include <functional>
#include <string>

#include "catalog/storage/sections.h"

namespace tonearm::test {

using ChangeSection = std::function<void(catalog::SectionId, std::string&)>;

/// The snapshot after SQL changed its tables and `change` its sections, with hashes that match. Throws Failure.
std::string operated(const std::string& bytes, const std::string& sql, const ChangeSection& change = {});

/// The snapshot with another database, whatever that is, and hashes that match, but for that of the tables.
std::string with_database(const std::string& bytes, std::string database, const ChangeSection& change = {});

}  // namespace tonearm::test
