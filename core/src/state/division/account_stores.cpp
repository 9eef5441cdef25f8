#include "state/division/account_stores.h"

#include <cstdint>
#include <exception>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

/// Bounds the memory for accounts that were found.
constexpr std::size_t kNewerMax = 100'000;

}  // namespace

sql::Failure account_is_moving() { return sql::Failure("the account is moved to another database at the moment"); }

std::size_t AccountStores::first_index(const std::string& account) const {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return 0;
  std::uint64_t number = 0;
  for (const std::uint8_t byte : *locator) number = number << 8U | byte;
  return static_cast<std::size_t>(number % stores_.size());
}

std::optional<std::size_t> AccountStores::remembered(const std::string& account) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto* known : {&newer_, &older_}) {
    const auto found = known->find(account);
    if (found != known->end()) return found->second;
  }
  return std::nullopt;
}

std::size_t AccountStores::last_known(const std::string& account) const {
  return remembered(account).value_or(first_index(account));
}

std::size_t AccountStores::find(const std::string& account) {
  const auto index = remembered(account);
  return index ? *index : find_again(account);
}

std::size_t AccountStores::find_again(const std::string& account) {
  const std::size_t first = last_known(account);
  // An account may be moved behind a first look to a database that was already looked at.
  for (int looks = 0; looks < 2; ++looks) {
    const auto found = look_up(account, first);
    if (!found) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (newer_.size() >= kNewerMax) older_ = std::exchange(newer_, {});
    newer_[account] = *found;
    return *found;
  }
  return first_index(account);
}

/// Returns nothing if no database has the account.
std::optional<std::size_t> AccountStores::look_up(const std::string& account, std::size_t first) {
  bool is_moving = false;
  std::exception_ptr failure;
  for (std::size_t step = 0; step < stores_.size(); ++step) {
    const std::size_t index = (first + step) % stores_.size();
    try {
      const Presence presence =
          transact(*stores_[index], [&](sql::Transaction& transaction) { return presence_of(transaction, account); });
      if (presence == Presence::present) return index;
      is_moving = is_moving || presence == Presence::moving;
    } catch (const sql::Failure&) {
      failure = std::current_exception();
    }
  }
  if (is_moving) throw account_is_moving();
  if (failure) std::rethrow_exception(failure);
  return std::nullopt;
}

}  // namespace tonearm::state
