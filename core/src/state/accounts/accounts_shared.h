#pragma once
// Accounts on a store that several servers use at once. Each call is checked and counted in one transaction of the
// store, by its clock (LIMIT-3). Nothing of an account is cached between calls.

#include <memory>

#include "state/accounts/accounts.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> make_shared_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                               const Accounts::Bounds& bounds);

}  // namespace tonearm::state
