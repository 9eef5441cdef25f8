#pragma once
// Writes and reads the lines of an exported state (table/state_lines.h). Pure, thread-safe.

#include <string>
#include <string_view>
#include <vector>

#include "state/accounts/account_transfer.h"
#include "state/collections/collection_transfer.h"
#include "tonearm/result.h"

namespace tonearm::api {

/// Writes the account's line, then one for each key.
std::vector<std::string> write_lines(const state::ExportedKeys& exported);
/// Writes a line for each collection, followed by those of its items.
std::vector<std::string> write_lines(const state::ExportedCollections& exported);

// Errors of both: invalid_request, which names the line and what is wrong with it (MOVE-7).
/// The first line must be that of `account`; the others must be keys of it.
Result<state::KeysToImport> read_keys(const std::vector<std::string>& lines, std::string_view account);
/// The lines of items must follow that of their collection.
Result<std::vector<state::CollectionToImport>> read_collections(const std::vector<std::string>& lines);

}  // namespace tonearm::api
