#pragma once
// A transaction that imports rows: it counts the new ones, and rolls back if a row is rejected or only checked.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// Whether an import writes its rows, or only reports how many it would write.
enum class ImportMode : std::uint8_t { write, check };

/// Thrown by `write` to roll back and to return the error.
struct ImportRejected {
  Error error;
};

[[noreturn]] inline void reject_import(std::string message) {
  throw ImportRejected{{ErrorCode::invalid_request, std::move(message)}};
}

/// `write` returns how many rows of the account it added, and may be replayed. Throws sql::Failure.
inline Result<std::size_t> transact_import(sql::Store& store, const std::string& account, ImportMode mode,
                                           const std::function<std::size_t(sql::Transaction&)>& write) {
  struct CheckOnly {};
  std::size_t added = 0;
  try {
    store.transact_of(account, [&](sql::Transaction& transaction) {
      added = write(transaction);
      if (mode == ImportMode::check) throw CheckOnly{};
    });
  } catch (const ImportRejected& rejected) {
    return rejected.error;
  } catch (const CheckOnly&) {
    return added;
  }
  return added;
}

}  // namespace tonearm::state
