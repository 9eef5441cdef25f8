#pragma once
// The service for hosts that give each account a store of its own, its shard (the edge). Other hosts use `Service`,
// which has the same parts.
//
// A host first calls `route` or `route_admin` to find the shard of a request. The account's shard admits the call, and
// answers it if the answer needs the account's state. If the answer needs only the catalog, the stateless role answers
// it where the request arrived, and the host sends its record to the shard. One more shard, the directory, stores all
// accounts and keys. Only the directory changes them, and it writes each change to an outbox in the same transaction
// (docs/adr/0032-a-directory-with-copies.md). The host sends the account's replica to its shard.
//
// Not thread-safe: one thread at a time.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/shared_answers.h"
#include "tonearm/sql.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm {

/// The state that a call is answered from.
enum class ShardRole : std::uint8_t {
  stateless,  // none: every key is answered 401, every account 404
  account,    // that of the account in the current shard
  directory,  // all accounts and keys, without calls and collections
};

/// Where a call is admitted and answered.
struct CallRoute {
  std::string account;    // the account whose shard admits the call; empty: the call needs no account
  bool in_shard = false;  // whether the shard also answers it
};

/// The calls of one role.
class ShardCalls {
 public:
  virtual ~ShardCalls() = default;

  // See the functions of `Service`.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  /// Counts an admitted request to `/mcp` by its body. `answer` of this role then does not count it again, nor does
  /// that of the stateless role, which may answer it if it needs only the catalog. Returns the response if a limit
  /// refuses it.
  virtual std::variant<Response, AdmittedMessage> admit_message(const Admitted& admitted, const Request& request) = 0;
  virtual Response refuse(const Admitted& admitted, const RequestHead& head, Response response) = 0;
  virtual Response handle_admin(const Request& request) = 0;
  /// Returns the account that an admin request of this role changed since the last call, or an empty string. If the
  /// request succeeded, the change is in the directory's outbox.
  virtual std::string take_changed_account() = 0;

  /// Returns the records of the calls that this role answered since the last call (RECORD-1), as bytes for
  /// `AccountShard::write_records`; empty: none.
  virtual std::string take_records() = 0;
};

/// The result of applying a replica. Only `applied` and `removed` change the shard.
enum class ReplicaOutcome : std::uint8_t {
  applied,
  removed,     // the account was deleted; only a tombstone remains
  newer_here,  // the shard has a newer replica or a tombstone
  behind,      // the shard does not have the required version: a complete replica is needed
  malformed,   // the bytes are not a replica
};

/// Receives what other processes send to an account's shard. The store outlives the object.
class AccountShard {
 public:
  /// `epoch`: see ShardService::make.
  /// `unwritten_counts`: see ShardService::Dependencies.
  AccountShard(sql::Store& store, std::int64_t epoch, UnwrittenCounts* unwritten_counts = nullptr)
      : store_(store), epoch_(epoch), unwritten_counts_(unwritten_counts) {}

  /// Writes call records, the bytes of one or more calls of `take_records`, in one transaction, and stores the
  /// unwritten counts in the row of the shard's last record. Skips records that were written before, and those of
  /// deleted accounts. Returns how many were written. Throws sql::Failure, and std::invalid_argument for other bytes.
  std::size_t write_records(std::string_view records);
  /// Stores the unwritten counts in the row of the shard's last record, unless it contains them. Throws sql::Failure;
  /// the counts are then only in memory.
  void write_counts();
  /// Replaces plan and keys with those of the replica. Counts and collections stay. A deletion removes account, keys
  /// and counts at once and writes a tombstone, which no replica of the same epoch replaces. Throws sql::Failure.
  ReplicaOutcome apply_replica(std::string_view replica);
  /// Writes the tombstone of this deletion to a store that is otherwise empty, and creates no other table. Throws
  /// sql::Failure, and std::invalid_argument for other bytes.
  void save_tombstone(std::string_view deletion);
  /// Returns the account of this shard if its replica is of an earlier epoch, else an empty string. The host must not
  /// answer from such a shard until it has a replica of this epoch, because the directory may not have the account any
  /// more. Throws sql::Failure.
  std::string outdated_account();

 private:
  sql::Store& store_;
  std::int64_t epoch_;
  UnwrittenCounts* unwritten_counts_;
};

/// A change in the directory's outbox.
struct AccountChange {
  std::string account;
  std::int64_t number = 0;  // counts the account's changes since the last acknowledged one
  std::string replica;      // for `AccountShard::apply_replica`: the changes since then, or the deletion
};

/// The directory's outbox. The store outlives the object. Throws sql::Failure.
class Directory {
 public:
  /// `epoch`: see ShardService::make.
  Directory(sql::Store& store, Clock& clock, std::int64_t epoch) : store_(store), clock_(clock), epoch_(epoch) {}

  /// Returns the first unacknowledged change of an account after `after`, in the order of accounts.
  std::optional<AccountChange> next_change(const std::string& after);
  /// Returns the unacknowledged change of one account.
  std::optional<AccountChange> change_of(const std::string& account);
  // An account has a shard from its first replica on. Before, its changes are not in the outbox (HOST-60).

  /// Call it once after the tables were opened. In a new epoch all accounts have a shard, because a directory that was
  /// set back does not know which of them had one.
  void begin_epoch();
  /// Returns whether the account exists and has a shard.
  bool has_shard(const std::string& account);
  /// Gives an account a shard: its whole replica is in the outbox. Does nothing if there is no such account, or if it
  /// has a shard.
  void add_shard(const std::string& account);
  /// Returns a complete replica for a shard that has none or is behind, or an empty string if the directory has no such
  /// account.
  std::string whole_replica(const std::string& account);
  /// Removes a change that the shard has applied. A change made since then stays in the outbox.
  void acknowledge(const AccountChange& change);

 private:
  std::optional<AccountChange> find_change(const std::string& condition, const std::string& parameter);

  sql::Store& store_;
  Clock& clock_;
  std::int64_t epoch_;
};

class ShardService {
 public:
  /// All of them outlive the service. `store` may be that of another shard at each call, so nothing of it is cached
  /// between calls; it must number records (`next_number`). `catalog`: see Service::Dependencies.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    std::function<std::shared_ptr<const Catalog>()> catalog;
    SharedAnswers* shared_answers = nullptr;  // null: none
    /// Where calls of accounts are counted until the tables of their shard have the counts. Null: in the store itself.
    UnwrittenCounts* unwritten_counts = nullptr;
  };
  /// `directory_epoch`: must grow each time the directory is restored to an earlier state (HOST-11).
  /// REQUIRES: `options` hold a key secret; 0 <= `directory_epoch` < 2^20.
  static std::unique_ptr<ShardService> make(const Dependencies& dependencies, const ServiceOptions& options,
                                            std::int64_t directory_epoch);
  virtual ~ShardService() = default;

  /// The part of CHECK-2 and CHECK-3 that needs only the head: returns the response 404 or 401, or the route of the
  /// call. Reads no state (KEY-3).
  virtual std::variant<Response, CallRoute> route(const RequestHead& head) = 0;
  /// Does the same for the admin interface: returns the response 401, or the account whose shard answers; empty: the
  /// directory answers.
  virtual std::variant<Response, CallRoute> route_admin(const RequestHead& head) = 0;

  virtual ShardCalls& calls(ShardRole role) = 0;
  /// Applies the operator's take-downs to the catalog of all calls that follow (TAKEDOWN-6). They are no part of a
  /// shard's state: the host reads the list elsewhere.
  virtual void take_down(std::vector<std::string> track_ids) = 0;
  virtual AccountShard& account() = 0;
  virtual Directory& directory() = 0;

  /// Creates or migrates the tables of the current shard, and reads the counts that its last record contains into
  /// `Dependencies::unwritten_counts`. Call it when the shard starts. Throws sql::Failure.
  virtual void open_state() = 0;
  /// Runs one small step of retention in the current shard (RECORD-4). Returns true while there is more to remove.
  /// Throws sql::Failure.
  virtual bool retain_step() = 0;
  /// Frees some space in the current shard: removes stored tracks of collections (HOST-63), or if there are none some
  /// of its oldest call records before their term (HOST-14). Returns false if there are none. Throws sql::Failure.
  virtual bool free_space_step() = 0;
};

}  // namespace tonearm
