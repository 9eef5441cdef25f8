#pragma once
// RECORD-6: what a deleted account leaves is removed in small steps, so that no write is held for long; from the first
// step on nothing of it can be read. What is still to be removed is written down, so a restart changes nothing.

#include <cstdint>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

/// The first step: the account itself, and of its rows as many as one step removes. False where there is no such
/// account. Throws sql::Failure.
bool remove_account(sql::Transaction& transaction, const std::string& account);

/// One further step for one of the removed accounts. False: there was none.
bool remove_rows_of_account(sql::Transaction& transaction);

}  // namespace tonearm::state
