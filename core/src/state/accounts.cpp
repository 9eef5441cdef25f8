#include "state/accounts.h"

#include "state/accounts_embedded.h"
#include "state/accounts_shared.h"
#include "state/schema.h"

namespace tonearm::state {

std::unique_ptr<Accounts> Accounts::open(const Parts& parts, std::string key_secret, const Bounds& bounds) {
  OpenedSchema schema = open_schema(parts.store, parts.random, std::move(key_secret));
  const auto make = parts.store.is_shared() ? make_shared_accounts : make_embedded_accounts;
  return make(parts, std::move(schema), bounds);
}

}  // namespace tonearm::state
