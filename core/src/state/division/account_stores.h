#pragma once
// Finds the database that has an account (HOST-56). Safe for concurrent calls.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::state {

class AccountStores {
 public:
  /// The stores outlive the object. All servers of a state have the same ones in the same order. REQUIRES: at least
  /// one.
  explicit AccountStores(std::vector<sql::Store*> stores) : stores_(std::move(stores)) {}

  std::size_t size() const { return stores_.size(); }
  sql::Store& at(std::size_t index) const { return *stores_.at(index); }
  /// Returns the index of the database in which the account is created: the locator in its id decides.
  std::size_t first_index(const std::string& account) const;

  /// Returns what `work` returns for the index of the account's database. Runs `work` again, elsewhere, while the
  /// account `is_missing` in the result because it was moved. So such a result is returned only if two looks in a row
  /// found the account in no database, or if it was in this database from before `work` until after it. `work` must not
  /// create the account. Throws sql::Failure while the account is moved, and if a database that may have it does not
  /// answer.
  template <class Work, class IsMissing>
  std::invoke_result_t<const Work&, std::size_t> run(const std::string& account, const Work& work,
                                                     const IsMissing& is_missing) {
    std::optional<FoundAccount> found = remembered(account);
    if (!found) found = find_again(account);
    while (true) {
      auto result = work(found ? found->index : first_index(account));
      if (!is_missing(result)) return result;
      const auto before = std::exchange(found, find_again(account));
      if (!found || found == before) return result;
    }
  }

  /// Looks the account up in all databases. Returns the index of the one that has it. Errors: as `run`.
  std::optional<std::size_t> find_index(const std::string& account);
  /// Returns the index that this server remembers, or `first_index`. Reads no database.
  std::size_t last_known(const std::string& account) const;

 private:
  /// Equal values: the account was in this database all the time between the two looks.
  struct FoundAccount {
    std::size_t index = 0;
    std::int64_t row_version = 0;  // a move inserts another row
    bool operator==(const FoundAccount&) const = default;
  };

  std::optional<FoundAccount> remembered(const std::string& account) const;
  std::optional<FoundAccount> find_again(const std::string& account);
  std::optional<FoundAccount> look_up(const std::string& account, std::size_t first);

  std::vector<sql::Store*> stores_;
  mutable std::mutex mutex_;  // guards the rest
  // Both together have the accounts that were found lately. When the first is full, it replaces the second.
  std::unordered_map<std::string, FoundAccount> newer_;
  std::unordered_map<std::string, FoundAccount> older_;
};

}  // namespace tonearm::state
