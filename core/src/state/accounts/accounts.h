#pragma once
// Accounts over the sql port: admission, administration, transfer and the call log. Safe for concurrent calls.
//
// On an embedded store, admission is exact in memory and `flush` writes its counters at most a second later (LIMIT-9).
// On a shared store, admission is a transaction of the store, unless `unwritten_counts` is given. Call records wait for
// `flush` on both. Everything else is durable when the function returns.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "state/accounts/account_administration.h"
#include "state/accounts/account_transfer.h"
#include "state/accounts/key_admission.h"
#include "state/calls/call_log.h"
#include "state/schema.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm::state {

class Accounts : public KeyAdmission, public AccountAdministration, public AccountTransfer, public CallLog {
 public:
  /// All of them outlive the object.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    /// Called for each change of an account's plan or keys, and for its deletion, in the transaction that makes the
    /// change, with the id of the changed key or an empty one. May be empty.
    std::function<void(sql::Transaction&, const std::string& account, const std::string& key_id)> on_change = {};
    /// Whether the store has so little free space that calls are counted by day instead of recorded (RECORD-9). Empty:
    /// never. Called from any thread.
    std::function<bool()> is_low_on_space = {};
    /// Which of the state's databases the store is.
    DatabaseOfState database = {};
    /// Whether a new account with this id may be created in the store. Empty: always.
    std::function<bool(const std::string& account)> accepts = {};
    /// Where a shared store's admission counts calls until `flush` writes the counts. Null: in the store itself.
    UnwrittenCounts* unwritten_counts = nullptr;
  };
  /// Bounds on memory. When `pending_calls_max` call records are queued, each call writes some of them before it is
  /// admitted. If the database fails, the call is answered 503, so that no record is lost (RECORD-1).
  struct Bounds {
    std::size_t accounts_max = 100'000;
    std::size_t pending_calls_max = 200'000;
  };
  /// Creates or migrates the tables and the key secret. Throws sql::Failure, also if a newer version wrote the state.
  static std::unique_ptr<Accounts> open(const Dependencies& dependencies, std::string key_secret, const Bounds& bounds);
  static std::unique_ptr<Accounts> open(const Dependencies& dependencies, std::string key_secret) {
    return open(dependencies, std::move(key_secret), Bounds{});
  }
};

/// Accounts on a store that belongs to one server process. Admission is exact in memory
/// (docs/adr/0003-admission-in-memory.md).
std::unique_ptr<Accounts> make_embedded_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                                 const Accounts::Bounds& bounds);

/// Accounts on a store that several servers use at once. Each call is checked and counted in one transaction of the
/// store, by its clock (LIMIT-3). Nothing of an account is cached between calls, except what `unwritten_counts` holds.
std::unique_ptr<Accounts> make_shared_accounts(const Accounts::Dependencies& dependencies, OpenedSchema schema,
                                               const Accounts::Bounds& bounds);

}  // namespace tonearm::state
