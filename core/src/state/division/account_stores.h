#pragma once
// Finds the database that has an account (HOST-56). Safe for concurrent calls.

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::state {

/// Says that the account is in no database because it is moved (HOST-58).
sql::Failure account_is_moving();

class AccountStores {
 public:
  /// The stores outlive the object. All servers of a state have the same ones in the same order. REQUIRES: at least
  /// one.
  explicit AccountStores(std::vector<sql::Store*> stores) : stores_(std::move(stores)) {}

  std::size_t size() const { return stores_.size(); }
  sql::Store& at(std::size_t index) const { return *stores_.at(index); }
  /// Returns the index of the database in which the account is created: the locator in its id decides.
  std::size_t first_index(const std::string& account) const;

  /// Returns the index of the account's database as this server remembers it, or else as `find_again` finds it.
  std::size_t find(const std::string& account);
  /// Looks the account up in all databases. Returns `first_index` if none has it. Throws sql::Failure while the account
  /// is moved, and if a database that may have it does not answer.
  std::size_t find_again(const std::string& account);
  /// Returns the index that this server remembers, or `first_index`. Reads no database.
  std::size_t last_known(const std::string& account) const;

 private:
  std::optional<std::size_t> remembered(const std::string& account) const;
  std::optional<std::size_t> look_up(const std::string& account, std::size_t first);

  std::vector<sql::Store*> stores_;
  mutable std::mutex mutex_;  // guards the rest
  // Both together have the accounts that were found lately. When the first is full, it replaces the second.
  std::unordered_map<std::string, std::size_t> newer_;
  std::unordered_map<std::string, std::size_t> older_;
};

}  // namespace tonearm::state
