#pragma once
// The service for hosts that give each account a store of its own, its shard (the edge). It stands beside `Service`,
// and is made of the same parts.
//
// Whoever takes a request asks `route`, or `route_admin`, which shard it is for. The account's shard admits the call
// and answers it where the answer needs the account's state; what the catalog alone answers is answered where the
// request came in, by the stateless role, and its record is sent to the shard. One more shard, the directory, holds all
// accounts and keys. It is the only place that changes them, and notes each change in an outbox, in the same
// transaction (docs/adr/0032-a-directory-with-copies.md); the host takes the replica of the account to its shard.
//
// For one thread at a time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm {

/// On whose state a call is answered.
enum class ShardRole : std::uint8_t {
  stateless,  // no account's: every key is answered 401, every account 404
  account,    // that of the one account in the current shard
  directory,  // that of all accounts and keys, without calls and collections
};

/// Where a call goes that needs more than its head.
struct CallRoute {
  std::string account;    // whose shard admits it; empty: it needs no account
  bool in_shard = false;  // whether the shard answers it too
};

/// The calls of one role.
class ShardCalls {
 public:
  virtual ~ShardCalls() = default;

  // As the functions of `Service`.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  virtual Response refuse(const Admitted& admitted, const RequestHead& head, Response response) = 0;
  virtual Response handle_admin(const Request& request) = 0;
  /// The account that an admin request of this role has changed since the last time, or nothing: its change is in the
  /// directory's outbox, if the request was answered well.
  virtual std::string take_changed_account() = 0;

  /// The records of the calls that this role answered since the last time (RECORD-1), as bytes for
  /// `AccountShard::write_records`; empty where there are none.
  virtual std::string take_records() = 0;
};

/// What came of a replica. Only `applied` and `removed` have changed the shard.
enum class ReplicaOutcome : std::uint8_t {
  applied,
  removed,     // the account was removed: of all it had only a tombstone is needed
  newer_here,  // the shard has a newer one, or a tombstone
  behind,      // it leads on from a version that the shard does not have: a whole one is needed
  malformed,   // the bytes are no replica
};

/// What other processes send to an account's shard. Its store outlives it.
class AccountShard {
 public:
  /// `epoch`: as of ShardService::make.
  AccountShard(sql::Store& store, std::int64_t epoch) : store_(store), epoch_(epoch) {}

  /// Writes call records; those that are there already, and those of accounts that are gone, change nothing. Gives how
  /// many were written. Throws sql::Failure, and std::invalid_argument for other bytes.
  std::size_t write_records(std::string_view records);
  /// From now on plan and keys are those of the replica; counts and collections stay. A removal takes account, keys and
  /// counts at once and leaves a tombstone, which no replica of the same epoch replaces. Throws sql::Failure.
  ReplicaOutcome apply_replica(std::string_view replica);
  /// Leaves the tombstone of this removal in a store that is otherwise empty, and makes no other table. Throws
  /// sql::Failure, and std::invalid_argument for other bytes.
  void keep_tombstone(std::string_view removal);
  /// The account here if its replica is of an earlier epoch: until it has one of this epoch nothing of it is to be
  /// answered, because the directory may not know it any more. Else nothing. Throws sql::Failure.
  std::string outdated_account();

 private:
  sql::Store& store_;
  std::int64_t epoch_;
};

/// A change in the directory's outbox.
struct AccountChange {
  std::string account;
  std::int64_t number = 0;  // of the account's changes since its outbox was last empty
  std::string replica;      // for `AccountShard::apply_replica`: what changed since, or the removal
};

/// The directory's outbox. Its store outlives it. Throws sql::Failure.
class Directory {
 public:
  /// `epoch`: as of ShardService::make.
  Directory(sql::Store& store, Clock& clock, std::int64_t epoch) : store_(store), clock_(clock), epoch_(epoch) {}

  /// The first change that its shard has not acknowledged, by account, after the account `after`.
  std::optional<AccountChange> next_change(const std::string& after);
  /// What its shard has not acknowledged of one account.
  std::optional<AccountChange> change_of(const std::string& account);
  /// All of an account, for a shard that is behind; nothing where the directory does not have it.
  std::string whole_replica(const std::string& account);
  /// The shard has applied it. A change made since then stays in the outbox.
  void acknowledge(const AccountChange& change);

 private:
  AccountChange change_at(sql::Transaction& transaction, const sql::Row& row);

  sql::Store& store_;
  Clock& clock_;
  std::int64_t epoch_;
};

class ShardService {
 public:
  /// All of them outlive the service. `store` may lead to another shard at each call, so nothing of it is kept between
  /// two; it numbers records (`next_number`). `catalog` as of Service::Dependencies.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    std::function<std::shared_ptr<const Catalog>()> catalog;
  };
  /// `directory_epoch`: grows with each time that the directory was set back to an earlier state (HOST-11).
  /// REQUIRES: `options` hold a key secret; 0 <= `directory_epoch` < 2^20.
  static std::unique_ptr<ShardService> make(const Dependencies& dependencies, const ServiceOptions& options,
                                            std::int64_t directory_epoch);
  virtual ~ShardService() = default;

  /// CHECK-2 and CHECK-3, as far as the head alone says: the answer 404 or 401, or where to go on. Reads no state
  /// (KEY-3).
  virtual std::variant<Response, CallRoute> route(const RequestHead& head) = 0;
  /// The same for the admin interface: the answer 401, or the account whose shard has what is asked; none: the
  /// directory.
  virtual std::variant<Response, CallRoute> route_admin(const RequestHead& head) = 0;

  virtual ShardCalls& calls(ShardRole role) = 0;
  virtual AccountShard& account() = 0;
  virtual Directory& directory() = 0;

  /// Makes or migrates the tables of the current shard. Throws sql::Failure.
  virtual void open_state() = 0;
  /// One small step of retention in the current shard (RECORD-4). True while more remains.
  virtual bool retain_step() = 0;
  /// One small step towards room in the current shard: removes some of its oldest call records before their term
  /// (HOST-14). False: there was none. Throws sql::Failure.
  virtual bool make_room_step() = 0;
};

}  // namespace tonearm
