#pragma once
// Accounts on a store that belongs to one server process. Admission is exact in memory
// (docs/adr/0003-admission-in-memory.md).

#include <memory>

#include "state/accounts/accounts.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> make_embedded_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                                 const Accounts::Bounds& bounds);

}  // namespace tonearm::state
