#pragma once
// Replicas of accounts: the plan and active keys that the directory sends to an account's shard, with a version; or the
// account's deletion, which the shard stores as a tombstone. The column `copy_number` of `accounts` is the version: in
// the directory that of the latest change, in a shard that of the applied replica. A version is the directory's epoch
// times 2^32 plus a number that grows with each change; the last version of an epoch is a deletion. Functions throw
// sql::Failure.

#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/shard_service.h"
#include "tonearm/sql.h"

namespace tonearm::shards {

struct Replication {
  std::int64_t base = 0;   // the version that the shard has; 0: the replica is complete
  std::int64_t epoch = 0;  // of the directory
  std::int64_t now_ms = 0;
};

/// Returns the account's version. In the directory 0 means that the account has no shard, or does not exist.
std::int64_t version_of(sql::Transaction& transaction, const std::string& account);

/// Increments the account's version and returns the one before.
std::int64_t raise_version(sql::Transaction& transaction, const std::string& account, std::int64_t epoch);
/// Gives each account without a version the first one of the epoch.
void add_versions(sql::Transaction& transaction, std::int64_t epoch);

/// Returns the replica of the keys that are active at `now_ms`, with a base only those that changed since. If the
/// account does not exist, returns its deletion.
std::string make_replica(sql::Transaction& transaction, const std::string& account, const Replication& from);

// Implement AccountShard::apply_replica and save_tombstone (tonearm/shard_service.h).
ReplicaOutcome apply_replica(sql::Store& store, std::string_view bytes);
bool save_tombstone(sql::Store& store, std::string_view bytes);

/// Returns the account of the shard if its replica is of an earlier epoch, else an empty string.
std::string outdated_account(sql::Store& store, std::int64_t epoch);

}  // namespace tonearm::shards
