#include "state/accounts.h"

#include <utility>

#include "state/accounts_embedded.h"
#include "state/accounts_shared.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> Accounts::open(const Parts& parts, std::string key_secret, const Bounds& bounds) {
  OpenedSchema schema = open_schema(parts.store, parts.random, std::move(key_secret));
  const auto make = parts.store.is_shared() ? make_shared_accounts : make_embedded_accounts;
  return make(parts, std::move(schema), bounds);
}

std::unique_ptr<Accounts> Accounts::over_homes(const Parts& parts, std::string key_secret) {
  return make_shared_accounts(parts, {std::move(key_secret), 0}, Bounds{});
}

}  // namespace tonearm::state
