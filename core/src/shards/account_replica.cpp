#include "shards/account_replica.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/accounts/deferred_counts.h"
#include "state/columns.h"
#include "state/transact.h"
#include "tonearm/message.h"

namespace tonearm::shards {

namespace {

constexpr std::uint32_t kReplicaLayout = 3;
constexpr std::size_t kIdBytesMax = 64;
constexpr std::size_t kPlanBytesMax = 16;
constexpr std::uint32_t kKeysMax = 100'000;
constexpr std::int64_t kVersionsOfEpoch = std::int64_t{1} << 32;

struct AccountReplica {
  std::string account;
  std::int64_t version = 0;  // greater than that of any earlier replica
  std::int64_t base = 0;     // the version that it requires; 0: any
  std::int64_t made_ms = 0;
  std::optional<Plan> plan;  // none: the account was deleted
  std::int64_t created_ms = 0;
  std::vector<state::KeyRow> keys;        // active ones; with a base those that changed
  std::vector<std::string> removed_keys;  // with a base: ids of keys that are no longer active
};

std::string encode(const AccountReplica& replica) {
  MessageWriter out;
  out.number(kReplicaLayout);
  out.text(replica.account);
  out.integer(replica.version);
  out.integer(replica.base);
  out.integer(replica.made_ms);
  out.text(replica.plan ? kPlanNames[static_cast<std::size_t>(*replica.plan)] : std::string_view{});
  out.integer(replica.created_ms);
  out.number(replica.keys.size());
  for (const state::KeyRow& key : replica.keys) {
    out.text(key.info.key_id);
    out.bytes(std::string(key.hash.begin(), key.hash.end()));
    out.number(key.info.session ? 1 : 0);
    out.integer(key.info.created_ms);
    out.integer(key.info.expires_ms.value_or(0));
  }
  out.number(replica.removed_keys.size());
  for (const std::string& key_id : replica.removed_keys) out.text(key_id);
  return out.take();
}

state::KeyRow read_key(MessageReader& in) {
  state::KeyRow key;
  key.info.key_id = in.text(kIdBytesMax);
  const auto hash = in.bytes(key.hash.size());
  std::transform(hash.begin(), hash.end(), key.hash.begin(), [](char byte) { return static_cast<std::uint8_t>(byte); });
  key.info.session = in.number() != 0;
  key.info.created_ms = in.integer();
  const std::int64_t expires_ms = in.integer();
  if (expires_ms != 0) key.info.expires_ms = expires_ms;
  return key;
}

std::optional<AccountReplica> decode(std::string_view bytes) {
  MessageReader in(bytes);
  if (in.number() != kReplicaLayout) return std::nullopt;
  AccountReplica replica;
  replica.account = in.text(kIdBytesMax);
  replica.version = in.integer();
  replica.base = in.integer();
  replica.made_ms = in.integer();
  const std::string plan = in.text(kPlanBytesMax);
  replica.plan = find_plan(plan);
  replica.created_ms = in.integer();
  for (std::uint32_t left = in.count(kKeysMax); left > 0 && !in.is_malformed(); --left) {
    replica.keys.push_back(read_key(in));
  }
  for (std::uint32_t left = in.count(kKeysMax); left > 0 && !in.is_malformed(); --left) {
    replica.removed_keys.push_back(in.text(kIdBytesMax));
  }
  if (!in.is_complete() || (!replica.plan && !plan.empty()) || !parse_account_id(replica.account)) return std::nullopt;
  return replica;
}

// The shard of a deleted account has only the table of tombstones, so it is not part of the schema.

void create_tombstone_table(sql::Store& store) {
  store.change_schema(sql::DiskSpace::reserve, [](sql::SchemaChange& change) {
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS account_tombstones (account TEXT NOT NULL, copy_number BIGINT NOT NULL,"
        " PRIMARY KEY (account))");
  });
}

std::int64_t tombstone_of(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows =
      transaction.execute("SELECT copy_number FROM account_tombstones WHERE account = ?1", {account});
  return rows.empty() ? 0 : state::integer_at(rows[0], 0);
}

void write_tombstone(sql::Transaction& transaction, const AccountReplica& replica) {
  transaction.execute(
      "INSERT INTO account_tombstones (account, copy_number) VALUES (?1, ?2)"
      " ON CONFLICT (account) DO UPDATE SET copy_number = excluded.copy_number",
      {replica.account, replica.version});
}

void remove_account(sql::Transaction& transaction, const AccountReplica& replica) {
  write_tombstone(transaction, replica);
  for (const std::string_view table : {"accounts", "api_keys", "call_counters"}) {
    transaction.execute("DELETE FROM " + std::string(table) + " WHERE account = ?1", {replica.account});
  }
  state::discard_deferred(transaction);
}

void write_account(sql::Transaction& transaction, const AccountReplica& replica) {
  state::insert_account(transaction, replica.account, *replica.plan, replica.created_ms);
  state::update_plan(transaction, replica.account, *replica.plan);
  transaction.execute("UPDATE accounts SET copy_number = ?2 WHERE account = ?1", {replica.account, replica.version});
}

/// Replaces all keys. REQUIRES: the replica is complete.
void replace_keys(sql::Transaction& transaction, const AccountReplica& replica) {
  transaction.execute("DELETE FROM account_tombstones WHERE account = ?1", {replica.account});
  transaction.execute("DELETE FROM api_keys WHERE account = ?1", {replica.account});
  for (const state::KeyRow& key : replica.keys) state::insert_key(transaction, replica.account, key);
}

/// Writes the changed keys, and removes session keys that have expired.
void write_changed_keys(sql::Transaction& transaction, const AccountReplica& replica) {
  for (const std::string& key_id : replica.removed_keys) {
    transaction.execute("DELETE FROM api_keys WHERE account = ?1 AND key_id = ?2", {replica.account, key_id});
  }
  for (const state::KeyRow& key : replica.keys) state::insert_key(transaction, replica.account, key);
  transaction.execute("DELETE FROM api_keys WHERE expires_ms IS NOT NULL AND expires_ms <= ?1", {replica.made_ms});
}

ReplicaOutcome apply(sql::Transaction& transaction, const AccountReplica& replica) {
  const std::int64_t known = version_of(transaction, replica.account);
  if (std::max(known, tombstone_of(transaction, replica.account)) > replica.version) return ReplicaOutcome::newer_here;
  if (!replica.plan) {
    remove_account(transaction, replica);
    return ReplicaOutcome::removed;
  }
  if (replica.base != 0 && known != replica.base) return ReplicaOutcome::behind;
  if (replica.base == 0) {
    replace_keys(transaction, replica);
  } else {
    write_changed_keys(transaction, replica);
  }
  write_account(transaction, replica);
  return ReplicaOutcome::applied;
}

/// Adds the keys that changed since the shard's version, as they are now.
void add_changed_keys(sql::Transaction& transaction, AccountReplica& replica) {
  const sql::Rows changed =
      transaction.execute("SELECT key_id FROM key_changes WHERE account = ?1 ORDER BY key_id", {replica.account});
  for (const sql::Row& row : changed) {
    const std::string& key_id = state::text_at(row, 0);
    if (auto key = state::find_active_key(transaction, replica.account, key_id, replica.made_ms)) {
      replica.keys.push_back(*std::move(key));
    } else {
      replica.removed_keys.push_back(key_id);
    }
  }
}

}  // namespace

std::int64_t version_of(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute("SELECT copy_number FROM accounts WHERE account = ?1", {account});
  return rows.empty() ? 0 : state::integer_at(rows[0], 0);
}

std::int64_t raise_version(sql::Transaction& transaction, const std::string& account, std::int64_t epoch) {
  const std::int64_t before = version_of(transaction, account);
  const std::int64_t next = std::max(before, epoch * kVersionsOfEpoch) + 1;
  transaction.execute("UPDATE accounts SET copy_number = ?2 WHERE account = ?1", {account, next});
  return before;
}

void add_versions(sql::Transaction& transaction, std::int64_t epoch) {
  transaction.execute("UPDATE accounts SET copy_number = ?1 WHERE copy_number = 0", {epoch * kVersionsOfEpoch + 1});
}

std::string make_replica(sql::Transaction& transaction, const std::string& account, const Replication& from) {
  AccountReplica replica;
  replica.account = account;
  replica.made_ms = from.now_ms;
  const std::int64_t first_of_epoch = from.epoch * kVersionsOfEpoch;
  const auto info = state::find_account(transaction, account);
  if (!info) {
    replica.version = first_of_epoch + kVersionsOfEpoch - 1;
    return encode(replica);
  }
  replica.plan = info->plan;
  replica.created_ms = info->created_ms;
  replica.version = std::max(version_of(transaction, account), first_of_epoch);
  replica.base = from.base;
  if (replica.base == 0) {
    replica.keys = state::read_active_keys(transaction, account, from.now_ms);
  } else {
    add_changed_keys(transaction, replica);
  }
  return encode(replica);
}

ReplicaOutcome apply_replica(sql::Store& store, std::string_view bytes) {
  const auto replica = decode(bytes);
  if (!replica) return ReplicaOutcome::malformed;
  create_tombstone_table(store);
  return state::transact(store, [&](sql::Transaction& transaction) { return apply(transaction, *replica); });
}

bool save_tombstone(sql::Store& store, std::string_view bytes) {
  const auto replica = decode(bytes);
  if (!replica || replica->plan) return false;
  create_tombstone_table(store);
  store.transact([&](sql::Transaction& transaction) {
    if (tombstone_of(transaction, replica->account) < replica->version) write_tombstone(transaction, *replica);
  });
  return true;
}

std::string outdated_account(sql::Store& store, std::int64_t epoch) {
  return state::transact(store, [&](sql::Transaction& transaction) {
    const sql::Rows rows =
        transaction.execute("SELECT account FROM accounts WHERE copy_number < ?1 LIMIT 1", {epoch * kVersionsOfEpoch});
    return rows.empty() ? std::string() : state::text_at(rows[0], 0);
  });
}

}  // namespace tonearm::shards
