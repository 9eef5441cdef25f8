#include "state/division/account_stores.h"

#include <cstdint>
#include <exception>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/columns.h"

namespace tonearm::state {

namespace {

/// Bounds the memory for accounts that were found.
constexpr std::size_t kNewerMax = 100'000;

/// Returns the number of the transaction that wrote the account's row, which a row that was inserted again does not
/// share. Nothing: the account is not in this database.
std::optional<std::int64_t> read_row_version(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute("SELECT xmin::text::bigint FROM accounts WHERE account = ?1", {account});
  return rows.empty() ? std::nullopt : std::optional(integer_at(rows[0], 0));
}

}  // namespace

std::size_t AccountStores::first_index(const std::string& account) const {
  const std::optional<Locator> locator = parse_account_id(account);
  if (!locator) return 0;
  std::uint64_t number = 0;
  for (const std::uint8_t byte : *locator) number = number << 8U | byte;
  return static_cast<std::size_t>(number % stores_.size());
}

std::optional<AccountStores::FoundAccount> AccountStores::remembered(const std::string& account) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto* known : {&newer_, &older_}) {
    const auto found = known->find(account);
    if (found != known->end()) return found->second;
  }
  return std::nullopt;
}

std::size_t AccountStores::last_known(const std::string& account) const {
  const auto found = remembered(account);
  return found ? found->index : first_index(account);
}

std::optional<std::size_t> AccountStores::find_index(const std::string& account) {
  const auto found = find_again(account);
  return found ? std::optional(found->index) : std::nullopt;
}

std::optional<AccountStores::FoundAccount> AccountStores::find_again(const std::string& account) {
  const std::size_t first = last_known(account);
  // An account may be moved behind a first look to a database that was already looked at. Only three moves at certain
  // points within two looks hide it from both.
  for (int looks = 0; looks < 2; ++looks) {
    const auto found = look_up(account, first);
    if (!found) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (newer_.size() >= kNewerMax) older_ = std::exchange(newer_, {});
    newer_[account] = *found;
    return found;
  }
  return std::nullopt;
}

/// Returns nothing if no database has the account.
std::optional<AccountStores::FoundAccount> AccountStores::look_up(const std::string& account, std::size_t first) {
  bool is_moving = false;
  std::exception_ptr failure;
  for (std::size_t step = 0; step < stores_.size(); ++step) {
    const std::size_t index = (first + step) % stores_.size();
    try {
      std::optional<std::int64_t> row_version;
      Presence presence = Presence::present;
      stores_[index]->transact([&](sql::Transaction& transaction) {
        row_version = read_row_version(transaction, account);
        if (!row_version) presence = presence_of(transaction, account);
      });
      if (row_version) return FoundAccount{index, *row_version};
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
