#pragma once
// Moves an account with all that belongs to it from one database of a divided state to another (HOST-58). Safe for
// concurrent calls, on several servers too.
//
// A move begins by taking the account's row out of `accounts`: from then on every write of the account fails in its
// transaction, and calls are answered 503. So nothing changes while the rows are copied. At the end the account's row
// is inserted into the other database, and the rows that were copied are removed where they came from. A move that was
// interrupted stays where it was until the next step, and may be undone by moving the account back.

#include <cstddef>
#include <string>
#include <vector>

#include "state/accounts/account_administration.h"
#include "state/division/account_stores.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"

namespace tonearm::state {

struct MovePorts {
  Clock& clock;
  Random& random;
};

/// Runs one step (AccountAdministration::move_account). The first step only begins the move, so that the call records
/// that other servers have in memory are written before they are copied. Throws sql::Failure; the step may be repeated.
Result<AccountMove> run_move_step(AccountStores& stores, const MovePorts& ports, const std::string& account,
                                  std::size_t database);

/// Returns the accounts that are in no database's `accounts`, because they are moved. Throws sql::Failure.
std::vector<AccountInfo> accounts_being_moved(AccountStores& stores);

/// Ends moves whose accounts have arrived at their targets, which an interrupted step may leave. Returns whether there
/// were any. Throws sql::Failure after it has tried all.
bool end_finished_moves(AccountStores& stores);

}  // namespace tonearm::state
