#pragma once
// RECORD-6: removes the rows of a deleted account in small steps, so that no other write is delayed for long. After the
// first step nothing of the account can be read. A table lists the accounts that still have rows, so removal continues
// after a restart.

#include <cstdint>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

/// Runs the first step: removes the account itself and some of its rows. Returns false if the account does not exist.
/// Throws sql::Failure.
bool remove_account(sql::Transaction& transaction, const std::string& account);

/// Removes some rows of an account that the database does not have. Returns whether none is left. Throws sql::Failure.
bool remove_some_rows(sql::Transaction& transaction, const std::string& account);
/// Lists an account for `remove_deleted_rows`, unless the database has it. Throws sql::Failure.
void list_as_removed(sql::Transaction& transaction, const std::string& account);

/// Runs a further step for one deleted account. Returns false if none has rows left. Throws sql::Failure.
bool remove_deleted_rows(sql::Transaction& transaction);

}  // namespace tonearm::state
