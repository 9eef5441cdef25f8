#pragma once
// Transactions that return a value.

#include <optional>
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

}  // namespace tonearm::state
