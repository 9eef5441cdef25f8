#pragma once
// A transaction that imports: it counts what is new, and is undone where something is refused or only checked.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "state/state_transfer.h"

namespace tonearm::state {

/// Thrown by `write` to undo all of it and answer with the error.
struct ImportRefused {
  Error error;
};

[[noreturn]] inline void refuse_import(std::string message) {
  throw ImportRefused{{ErrorCode::invalid_request, std::move(message)}};
}

/// `write` gives how many rows it added; it may be replayed. Throws sql::Failure.
inline Result<std::size_t> transact_import(sql::Store& store, ImportMode mode,
                                           const std::function<std::size_t(sql::Transaction&)>& write) {
  struct OnlyChecked {};
  std::size_t added = 0;
  try {
    store.transact([&](sql::Transaction& transaction) {
      added = write(transaction);
      if (mode == ImportMode::check) throw OnlyChecked{};
    });
  } catch (const ImportRefused& refused) {
    return refused.error;
  } catch (const OnlyChecked&) {
    return added;
  }
  return added;
}

}  // namespace tonearm::state
