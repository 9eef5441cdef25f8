#pragma once
// Transactions that return a value.

#include <optional>
#include <string>
#include <type_traits>

#include "tonearm/sql.h"

namespace tonearm::state {

/// Runs `body` in one transaction and returns its result. `body` may be replayed. Throws sql::Failure.
template <class Body>
auto transact(sql::Store& store, const Body& body) {
  std::optional<std::invoke_result_t<Body, sql::Transaction&>> result;
  store.transact([&](sql::Transaction& transaction) { result.emplace(body(transaction)); });
  return *std::move(result);
}

/// Does the same for a body about one account (Store::transact_of).
template <class Body>
auto transact_of(sql::Store& store, const std::string& account, const Body& body) {
  std::optional<std::invoke_result_t<Body, sql::Transaction&>> result;
  store.transact_of(account, [&](sql::Transaction& transaction) { result.emplace(body(transaction)); });
  return *std::move(result);
}

}  // namespace tonearm::state
