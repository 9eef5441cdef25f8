#include "state/division/divided_store.h"

#include <cstddef>

#include "state/accounts/account_rows.h"

namespace tonearm::state {

namespace {

/// Ends a transaction in a database that does not have the account.
struct AccountNotHere {};

}  // namespace

/// The account's row is read in the transaction itself, so the account is not moved before it is committed.
void DividedStore::transact_of(const std::string& account, const std::function<void(sql::Transaction&)>& body) {
  std::size_t index = stores_.find(account);
  while (true) {
    try {
      stores_.at(index).transact([&](sql::Transaction& transaction) {
        if (presence_of(transaction, account) != Presence::present) throw AccountNotHere{};
        body(transaction);
      });
      return;
    } catch (const AccountNotHere&) {
      const std::size_t other = stores_.find_again(account);
      if (other == index) break;  // no database has it
      index = other;
    }
  }
  stores_.at(index).transact(body);
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
