#include "state/division/divided_store.h"

#include <cstddef>
#include <functional>

#include "state/accounts/account_rows.h"

namespace tonearm::state {

/// The account's row is read in the transaction itself, so the account is not moved before it is committed.
void DividedStore::transact_of(const std::string& account, const std::function<void(sql::Transaction&)>& body) {
  const auto transact_if_present = [&](std::size_t index) {
    bool is_present = false;
    stores_.at(index).transact([&](sql::Transaction& transaction) {
      is_present = presence_of(transaction, account) == Presence::present;
      if (is_present) body(transaction);
    });
    return is_present;
  };
  const bool was_found = stores_.run(account, transact_if_present, std::logical_not<>());
  if (!was_found) stores_.at(stores_.last_known(account)).transact(body);  // no database has it
}

void DividedStore::transact_anywhere(const std::function<void(sql::Transaction&)>& body) {
  const std::size_t first = last_working_;
  for (std::size_t step = 0;; ++step) {
    const std::size_t index = (first + step) % stores_.size();
    try {
      stores_.at(index).transact_anywhere(body);
      last_working_ = index;
      return;
    } catch (const sql::Failure&) {
      // A database that hangs may use all the time of this call; the next one begins with another.
      if (step == 0) last_working_ = (index + 1) % stores_.size();
      if (step + 1 == stores_.size()) throw;
    }
  }
}

}  // namespace tonearm::state
