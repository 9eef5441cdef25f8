#pragma once
// Accounts over the databases of a divided state (HOST-56).

#include <functional>
#include <memory>
#include <string>

#include "state/accounts/accounts.h"
#include "state/division/account_stores.h"
#include "tonearm/ports.h"

namespace tonearm::state {

/// All of them outlive the accounts.
struct DividedDependencies {
  Clock& clock;
  Random& random;
  Hashing& hashing;
  AccountStores& stores;
};

/// Creates or migrates the tables of all databases. Errors and thread safety: as `Accounts::open`. REQUIRES:
/// `key_secret` is not empty, because the same keys must be valid in each.
std::unique_ptr<Accounts> open_divided_accounts(const DividedDependencies& dependencies, const std::string& key_secret,
                                                const Accounts::Bounds& bounds = {});

}  // namespace tonearm::state
