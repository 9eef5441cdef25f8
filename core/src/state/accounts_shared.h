#pragma once
// Accounts on a store that several servers use at once: every call is checked and counted there, in one transaction,
// by the store's clock (LIMIT-3). Nothing of an account is kept between two calls.

#include <memory>

#include "state/accounts.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> make_shared_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                               const Accounts::Bounds& bounds);

}  // namespace tonearm::state
