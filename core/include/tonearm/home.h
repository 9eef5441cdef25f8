#pragma once
// The service for hosts that give each account a home of its own (the edge). Whoever takes a request asks `locate`, or
// `locate_admin`, whose it is; the account's home admits it and answers what needs its state; what the catalog alone
// answers is answered where the request came in, and its record sent home. One home, the directory, has all accounts
// and keys and writes down which of them changed, so that the host brings a copy to each account's home.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tonearm/service.h"

namespace tonearm {

/// Whose state a service has.
enum class Home : std::uint8_t {
  nobody,     // a state of its own without accounts: whatever is asked of one is answered 401 or 404
  account,    // one account's
  directory,  // that of all accounts and keys, without what their calls leave
};

/// Where a call that may go on is answered.
struct CallPlace {
  std::string account;   // whose home is to be asked; empty: none
  bool at_home = false;  // whether all of it is answered there, and not only admitted
};

/// An account whose home may not know yet how it was changed.
struct AccountChange {
  std::string account;
  std::int64_t number = 0;  // of the change
  std::string copy;         // for `take_copy`; empty: the account is gone
};

class HomeService : public Service {
 public:
  /// `parts` and `options` as of Service::make; REQUIRES a key secret. The stores of `account` and `directory` may lead
  /// to another home at each call: the service keeps nothing of it between two, and opens it with `open_state` alone.
  static std::unique_ptr<HomeService> make(Home home, const Parts& parts, const ServiceOptions& options);

  /// C1, steps 2 and 3, as far as the head alone tells: the answer 404 or 401, or where to go on. A public path names
  /// no account. Asks no state (C3.2).
  virtual std::variant<Response, CallPlace> locate(const RequestHead& head) = 0;
  /// The same of the admin interface: the answer 401, or the account whose home keeps what is asked; none: the
  /// directory.
  virtual std::variant<Response, CallPlace> locate_admin(const RequestHead& head) = 0;

  /// Makes or migrates the tables of a home. Throws sql::Failure.
  virtual void open_state() = 0;
  /// The records of the calls answered since (C8), for the homes of their accounts; empty where there are none. Instead
  /// of `flush`.
  virtual std::string take_records() = 0;
  /// Writes records into their account's home; those that are there already, and those of accounts that are gone,
  /// change nothing. Gives how many were written. Throws sql::Failure, and std::invalid_argument for other bytes.
  virtual std::size_t write_records(std::string_view records) = 0;

  /// The directory's: the first change, by account behind `after`, that no home is known to have. Throws sql::Failure.
  virtual std::optional<AccountChange> next_change(const std::string& after) = 0;
  /// The home has it. A change that was made since stays to be brought.
  virtual void delivered(const AccountChange& change) = 0;
  /// The home's: from now on plan and keys are those of the copy. Throws sql::Failure, and std::invalid_argument for
  /// other bytes, and for a copy that is older than the one that the home has.
  virtual void take_copy(std::string_view copy) = 0;
};

}  // namespace tonearm
