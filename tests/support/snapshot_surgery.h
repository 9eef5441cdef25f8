#pragma once
// Modifies snapshots on purpose.

#include <functional>
#include <string>

#include "catalog/storage/sections.h"

namespace tonearm::test {

using ChangeSection = std::function<void(catalog::SectionId, std::string&)>;

/// Applies SQL to the tables and `change` to the sections of a snapshot; updates the hashes. Throws Failure.
std::string modified_snapshot(const std::string& bytes, const std::string& sql, const ChangeSection& change = {});

/// Replaces the database of a snapshot, with any content; updates all hashes except that of the tables.
std::string with_database(const std::string& bytes, std::string database, const ChangeSection& change = {});

}  // namespace tonearm::test
