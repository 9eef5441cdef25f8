#pragma once
// The port sql::Store over the databases of a divided state. Safe for concurrent calls.

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "state/division/account_stores.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// `transact` runs in the first database, which has what belongs to no account: the take-downs.
class DividedStore final : public sql::Store {
 public:
  /// `stores` outlives the object.
  explicit DividedStore(AccountStores& stores) : stores_(stores) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override { stores_.at(0).transact(body); }
  void transact_of(const std::string& account, const std::function<void(sql::Transaction&)>& body) override;
  void transact_anywhere(const std::function<void(sql::Transaction&)>& body) override;
  bool is_shared() const override { return true; }

 private:
  AccountStores& stores_;
  std::atomic<std::size_t> last_working_ = 0;  // of `transact_anywhere`
};

}  // namespace tonearm::state
