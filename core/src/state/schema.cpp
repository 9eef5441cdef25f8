#include "state/schema.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "state/call_partitions.h"
#include "state/columns.h"
#include "state/state_meta.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kDatabaseIdBytes = 16;
/// How often a migration is repeated that failed, perhaps because another server overtook it.
constexpr int kRepeatsMax = 2;

// A released migration never changes what it leaves behind; a new one is appended. The version of a state is the number
// of migrations that were applied to it. A migration that failed half-way is repeated from its first statement, by
// several servers at once: what it creates may exist, and what it drops may be missing (IF EXISTS).

constexpr std::string_view kAccountsAndCalls[] = {
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
    "CREATE TABLE accounts (account TEXT NOT NULL, plan TEXT NOT NULL, created_ms BIGINT NOT NULL,"
    " PRIMARY KEY (account))",
    "CREATE TABLE api_keys (account TEXT NOT NULL, key_id TEXT NOT NULL, key_sha256 TEXT NOT NULL,"
    " is_session BIGINT NOT NULL, created_ms BIGINT NOT NULL, expires_ms BIGINT, revoked_ms BIGINT,"
    " PRIMARY KEY (account, key_id))",
    "CREATE INDEX sessions_by_expiry ON api_keys (expires_ms) WHERE expires_ms IS NOT NULL",
    "CREATE TABLE call_counters (account TEXT NOT NULL,"
    " minute_began_ms BIGINT NOT NULL, minute_calls BIGINT NOT NULL,"
    " day_began_ms BIGINT NOT NULL, day_calls BIGINT NOT NULL,"
    " month_began_ms BIGINT NOT NULL, month_calls BIGINT NOT NULL,"
    " PRIMARY KEY (account))",
    "CREATE TABLE daily_usage (account TEXT NOT NULL, day_began_ms BIGINT NOT NULL, calls BIGINT NOT NULL,"
    " succeeded BIGINT NOT NULL, first_party BIGINT NOT NULL,"
    " PRIMARY KEY (account, day_began_ms))",
};

// docs/spec/collections.md. Items are sorted by `place` (collections/sort_keys.h), collections by a number from
// `collection_changes`. The columns of an item from `license_id` on are its license record, which is never updated
// (ITEM-2).
constexpr std::string_view kCollections[] = {
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
    "CREATE TABLE collections (account TEXT NOT NULL, collection_id TEXT NOT NULL, name TEXT NOT NULL,"
    " commercial BIGINT NOT NULL, revision BIGINT NOT NULL, track_count BIGINT NOT NULL, created_s BIGINT NOT NULL,"
    " updated_s BIGINT NOT NULL, change_order BIGINT NOT NULL,"
    " PRIMARY KEY (account, collection_id))",
    "CREATE INDEX collections_by_change ON collections (account, change_order)",
    "CREATE TABLE collection_items (account TEXT NOT NULL, collection_id TEXT NOT NULL, track_id TEXT NOT NULL,"
    " place BIGINT NOT NULL, note TEXT, chips BIGINT NOT NULL, modification_text TEXT, added_s BIGINT NOT NULL,"
    " license_id TEXT NOT NULL, commercial BIGINT NOT NULL, credit_required BIGINT NOT NULL,"
    " share_alike BIGINT NOT NULL, attribution TEXT NOT NULL, license_name TEXT NOT NULL, license_url TEXT,"
    " license_status TEXT NOT NULL, credit_line TEXT NOT NULL, title TEXT NOT NULL, artist TEXT NOT NULL,"
    " source_page TEXT, catalog_version TEXT NOT NULL, recorded_s BIGINT NOT NULL,"
    " PRIMARY KEY (account, collection_id, track_id))",
    "CREATE TABLE collection_creations (account TEXT NOT NULL, created_ms BIGINT NOT NULL,"
    " collection_id TEXT NOT NULL,"
    " PRIMARY KEY (account, created_ms, collection_id))",
    "CREATE TABLE collection_changes (account TEXT NOT NULL, changes BIGINT NOT NULL,"
    " PRIMARY KEY (account))",
};

constexpr std::string_view kCallPartitions[] = {
    "CREATE TABLE call_parts (kind TEXT NOT NULL, day_number BIGINT NOT NULL, PRIMARY KEY (kind, day_number))",
    "CREATE TABLE removed_accounts (account TEXT NOT NULL, PRIMARY KEY (account))",
};

// The directory's outbox: changes that the accounts' shards have not acknowledged (shards/outbox.h).
constexpr std::string_view kAccountChanges[] = {
    "CREATE TABLE account_changes (account TEXT NOT NULL, change_number BIGINT NOT NULL, PRIMARY KEY (account))",
};

// The version of an account's replica (shards/account_replica.h).
constexpr std::string_view kReplicaVersions[] = {
    "ALTER TABLE accounts ADD COLUMN copy_number BIGINT NOT NULL DEFAULT 0",
};

// How many records a day of an account has, for the limits of RECORD-8. It also locks out older versions, which would
// not remove the partitions of aggregated records with their account.
constexpr std::string_view kRecordsOfDay[] = {
    "ALTER TABLE daily_usage ADD COLUMN records BIGINT NOT NULL DEFAULT 0",
};

// The contents of the next replica (shards/outbox.h): the keys that changed since its shard's version.
constexpr std::string_view kReplicaParts[] = {
    "ALTER TABLE account_changes ADD COLUMN base_number BIGINT NOT NULL DEFAULT 0",
    "CREATE TABLE key_changes (account TEXT NOT NULL, key_id TEXT NOT NULL, PRIMARY KEY (account, key_id))",
};

// Results of requests with an Idempotency-Key (accounts/idempotency.h).
constexpr std::string_view kCreations[] = {
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
    "CREATE TABLE creations (key_sha256 TEXT NOT NULL, account TEXT NOT NULL, request TEXT NOT NULL,"
    " made_id TEXT NOT NULL, made_ms BIGINT NOT NULL, PRIMARY KEY (key_sha256))",
    "CREATE INDEX creations_by_time ON creations (made_ms)",
    "CREATE INDEX creations_by_account ON creations (account)",
};

// For the pages of the operator's list of accounts.
constexpr std::string_view kAccountsInOrder[] = {
    "CREATE INDEX accounts_by_creation ON accounts (created_ms, account)",
};

// Results of comparing collections with the catalog (collections/license_checks.h).
constexpr std::string_view kLicenseChecks[] = {
    "CREATE TABLE license_checks (account TEXT NOT NULL, collection_id TEXT NOT NULL, revision BIGINT NOT NULL,"
    " track_count BIGINT NOT NULL, catalog_version TEXT NOT NULL, license_changed BIGINT NOT NULL,"
    " missing BIGINT NOT NULL, changed_items TEXT NOT NULL, PRIMARY KEY (account, collection_id))",
};

// The name to credit instead of the artist (LICENSE-8), as a part of license records.
constexpr std::string_view kCreditedNames[] = {
    "ALTER TABLE collection_items ADD COLUMN credit_as TEXT",
};

// License receipts (RECEIPT-7), as JSON. Last in the row, because few statements read them.
constexpr std::string_view kReceipts[] = {
    "ALTER TABLE collection_items ADD COLUMN receipt TEXT",
};

// The tracks that an operator took down (take_downs/take_downs.h).
constexpr std::string_view kTakeDowns[] = {
    "CREATE TABLE take_downs (track_id TEXT NOT NULL, reason TEXT NOT NULL, added TEXT NOT NULL,"
    " PRIMARY KEY (track_id))",
};

// Accounts that are moved from this database to another one, with their counts, and those that are moved to this one
// (division/account_move.h).
constexpr std::string_view kAccountMoves[] = {
    // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a statement takes several lines
    "CREATE TABLE account_moves (account TEXT NOT NULL, plan TEXT NOT NULL, created_ms BIGINT NOT NULL,"
    " minute_began_ms BIGINT, minute_calls BIGINT, day_began_ms BIGINT, day_calls BIGINT, month_began_ms BIGINT,"
    " month_calls BIGINT, move_id TEXT NOT NULL, mover TEXT NOT NULL, target BIGINT NOT NULL, position TEXT NOT NULL,"
    " PRIMARY KEY (account))",
    "CREATE TABLE account_arrivals (account TEXT NOT NULL, move_id TEXT NOT NULL, mover TEXT NOT NULL,"
    " arrived BIGINT NOT NULL, PRIMARY KEY (account))",
};

// The tracks of collections, on hosts that store them (collections/collection_tracks.h).
constexpr std::string_view kCollectionTracks[] = {
    "CREATE TABLE collection_tracks (account TEXT NOT NULL, collection_id TEXT NOT NULL, part BIGINT NOT NULL,"
    " catalog_version TEXT NOT NULL, tracks TEXT NOT NULL, PRIMARY KEY (account, collection_id, part))",
};

// The column `deferred_counts` of the partitions of single-call records (accounts/deferred_counts.h).
constexpr std::span<const std::string_view> kDeferredCounts{};

struct Migration {
  std::span<const std::string_view> statements;
  void (*then)(sql::SchemaChange&) = nullptr;  // what fixed statements cannot do, for states that have data
};

constexpr std::array<Migration, 16> kMigrations{{{kAccountsAndCalls},
                                                 {kCallPartitions, partition_call_records},
                                                 {kCollections},
                                                 {kAccountChanges},
                                                 {kReplicaVersions},
                                                 {kRecordsOfDay},
                                                 {kReplicaParts},
                                                 {kCreations},
                                                 {kAccountsInOrder},
                                                 {kLicenseChecks},
                                                 {kCreditedNames},
                                                 {kReceipts},
                                                 {kTakeDowns},
                                                 {kAccountMoves},
                                                 {kDeferredCounts, add_deferred_counts},
                                                 {kCollectionTracks}}};

/// Returns the version of the state. Throws sql::Failure if a newer version of Tonearm wrote it.
std::size_t read_version(sql::Transaction& transaction) {
  const std::int64_t version = read_meta_number(transaction, "schema_version");
  if (version > static_cast<std::int64_t>(kMigrations.size())) {
    throw sql::Failure("the state was written by a newer version of Tonearm: it has schema " + std::to_string(version) +
                       ", and this version knows schemas up to " + std::to_string(kMigrations.size()));
  }
  return static_cast<std::size_t>(version);
}

void create_meta(sql::SchemaChange& change) {
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS state_meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name))");
}

/// Runs the migrations that the state lacks. The version is written after a migration, so one that ended half-way is
/// repeated, and one that another server has run meanwhile is not.
void migrate(sql::SchemaChange& change) {
  create_meta(change);
  std::size_t version = 0;
  change.transact([&](sql::Transaction& transaction) { version = read_version(transaction); });
  const bool is_new = version == 0;
  while (version < kMigrations.size()) {
    const Migration& migration = kMigrations.at(version);
    for (const std::string_view statement : migration.statements) change.execute_ddl(statement);
    if (migration.then != nullptr && !is_new) migration.then(change);
    ++version;
    if (is_new && version < kMigrations.size()) continue;
    change.transact([&](sql::Transaction& transaction) {
      const std::size_t stored = read_version(transaction);
      if (stored < version) write_meta(transaction, "schema_version", std::to_string(version));
      version = std::max(stored, version);
    });
  }
}

DatabaseFacts read_facts(sql::Transaction& transaction) {
  DatabaseFacts facts;
  facts.id = read_meta(transaction, "database_id").value_or("");
  facts.stored.number = read_meta_number(transaction, "database_number");
  facts.stored.count = read_meta_number(transaction, "database_count");
  facts.stored.first_id = read_meta(transaction, "first_database_id").value_or("");
  facts.is_used = read_meta_number(transaction, "runs") > 0;
  return facts;
}

void write_database(sql::Transaction& transaction, const DatabaseOfState& place) {
  if (place.count == 1) return;
  write_meta(transaction, "database_number", std::to_string(place.number));
  write_meta(transaction, "database_count", std::to_string(place.count));
  write_meta(transaction, "first_database_id", place.first_id);
}

}  // namespace

void create_tables(sql::Store& store) {
  // RECORD-10: a server must start on a full disk, too.
  for (int left = kRepeatsMax;; --left) {
    try {
      return store.change_schema(sql::DiskSpace::reserve, migrate);
    } catch (const sql::Failure&) {
      if (left == 0 || !store.is_shared()) throw;
    }
  }
}

DatabaseFacts prepare_database(sql::Store& store, Random& random) {
  std::array<std::uint8_t, kDatabaseIdBytes> bytes;
  random.fill(bytes);
  store.change_schema(sql::DiskSpace::ordinary, create_meta);
  DatabaseFacts facts;
  store.transact([&](sql::Transaction& transaction) {
    static_cast<void>(read_version(transaction));
    facts = read_facts(transaction);
    if (!facts.id.empty()) return;
    facts.id = ascii::to_hex(bytes);
    write_meta(transaction, "database_id", facts.id);
  });
  return facts;
}

void check_database(const DatabaseFacts& facts, const DatabaseOfState& given) {
  const auto refuse = [&](const std::string& why) {
    throw sql::Failure("the database that is given as number " + std::to_string(given.number) + " " + why);
  };
  const DatabaseOfState& stored = facts.stored;
  if (stored.number != 0 && stored.number != given.number) {
    refuse("is number " + std::to_string(stored.number) + ": keep the order of the databases");
  }
  if (stored.count > given.count) {
    refuse("is one of " + std::to_string(stored.count) + ": give all databases of the state");
  }
  if (given.number > 1 && stored.number == 0 && facts.is_used) {
    refuse("has a state of its own: only the first database may have one");
  }
  if (!stored.first_id.empty() && stored.first_id != given.first_id) refuse("belongs to another state");
}

OpenedSchema open_schema(sql::Store& store, Random& random, std::string key_secret, const DatabaseOfState& database) {
  std::array<std::uint8_t, kSecretBytes> fresh;
  if (key_secret.empty()) random.fill(fresh);  // otherwise draws nothing: all hosts must draw the same numbers
  OpenedSchema opened;
  create_tables(store);
  store.transact_from_reserve([&](sql::Transaction& transaction) {
    check_database(read_facts(transaction), database);
    write_database(transaction, database);
    const std::int64_t runs = read_meta_number(transaction, "runs") + 1;
    write_meta(transaction, "runs", std::to_string(runs));
    opened.run = database.count == 1 ? runs : runs * sql::kDatabasesMax + database.number - 1;
    opened.key_secret = key_secret;
    if (!key_secret.empty()) return;
    if (const auto stored = read_meta(transaction, "key_secret")) {
      opened.key_secret = *stored;
    } else {
      opened.key_secret = ascii::to_hex(fresh);
      write_meta(transaction, "key_secret", opened.key_secret);
    }
  });
  return opened;
}

std::string read_key_secret(sql::Transaction& transaction) {
  return read_meta(transaction, "key_secret").value_or(std::string());
}

}  // namespace tonearm::state
