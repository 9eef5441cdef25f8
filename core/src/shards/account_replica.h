#pragma once
// What an account's shard has of the directory's rows: plan and keys in force, with a version; or that the account was
// removed, which stays as a tombstone. The column `copy_number` of `accounts` holds the version: in the directory that
// of the latest change, in a shard that of the replica it has. A version is the directory's epoch times 2^32, and a
// number that grows with each change; the last one of an epoch is a removal. Functions throw sql::Failure.

#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/shard_service.h"
#include "tonearm/sql.h"

namespace tonearm::shards {

/// From what to what a replica leads.
struct Replication {
  std::int64_t base = 0;   // the version that the shard has; 0: the replica brings all
  std::int64_t epoch = 0;  // of the directory
  std::int64_t now_ms = 0;
};

/// The next replica of the account is a newer one. Gives the version before; 0: it has none, or is gone.
std::int64_t raise_version(sql::Transaction& transaction, const std::string& account, std::int64_t epoch);

/// Of what is in force at `now_ms`; with a base only what changed since. Of an account that is not there: its removal.
std::string make_replica(sql::Transaction& transaction, const std::string& account, const Replication& from);

/// As AccountShard::apply_replica and keep_tombstone (tonearm/shard_service.h).
ReplicaOutcome apply_replica(sql::Store& store, std::string_view bytes);
bool keep_tombstone(sql::Store& store, std::string_view bytes);

/// The account here if its replica is of an earlier epoch; else nothing.
std::string outdated_account(sql::Store& store, std::int64_t epoch);

}  // namespace tonearm::shards
