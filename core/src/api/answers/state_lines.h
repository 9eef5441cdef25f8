#pragma once
// The lines of an exported state (table/state_lines.h), written from what the state gave and read into what it takes.
// Pure, thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "state/state_transfer.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// The account's line, then one for each key.
std::vector<std::string> lines_of(const state::ExportedKeys& exported);
/// A line for each collection, followed by those of its items.
std::vector<std::string> lines_of(const state::ExportedCollections& exported);

// Errors: invalid_request, naming the line and what is wrong with it (MOVE-7).
/// REQUIRES of the lines: first that of `account`, then keys of it.
Result<state::KeysToImport> read_keys(const std::vector<std::string>& lines, std::string_view account);
/// REQUIRES of the lines: before items that of their collection.
Result<std::vector<state::CollectionToImport>> read_collections(const std::vector<std::string>& lines);

}  // namespace tonearm::api
