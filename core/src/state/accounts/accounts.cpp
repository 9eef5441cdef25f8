#include "state/accounts/accounts.h"

#include <utility>

#include "state/accounts/accounts_embedded.h"
#include "state/accounts/accounts_shared.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> Accounts::open(const Dependencies& dependencies, std::string key_secret,
                                         const Bounds& bounds) {
  OpenedSchema schema = open_schema(dependencies.store, dependencies.random, std::move(key_secret));
  const auto make = dependencies.store.is_shared() ? make_shared_accounts : make_embedded_accounts;
  return make(dependencies, std::move(schema), bounds);
}

}  // namespace tonearm::state
