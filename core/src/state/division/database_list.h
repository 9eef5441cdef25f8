#pragma once
// The list of the databases of a divided state, as a server is given it (HOST-56).

#include <vector>

#include "state/division/account_stores.h"
#include "state/schema.h"
#include "tonearm/ports.h"

namespace tonearm::state {

/// Returns the place of each database. Throws sql::Failure, which names the
/// fault, unless the list is the one that the state had before, or continues it. A list that is rejected changes the
/// place of no database.
std::vector<DatabaseOfState> check_databases(const AccountStores& stores, Random& random);

}  // namespace tonearm::state
