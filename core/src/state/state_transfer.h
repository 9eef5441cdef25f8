#pragma once
// Accounts, keys and collections on their way out of one state and into another (docs/spec/moving.md). A piece of an
// account is one transaction; importing it again changes nothing. Accounts and keys go through `Accounts`
// (export_keys, import_keys), because it alone changes them. Throw sql::Failure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/collection.h"
#include "state/accounts.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// Whether an import writes, or only says what it would write.
enum class ImportMode : std::uint8_t { write, check };

/// A key as its hash, never itself (KEY-4).
struct ExportedKey {
  KeyInfo info;
  std::string key_sha256;  // 64 hex digits
};

struct ExportedKeys {
  AccountInfo account;            // without `active_keys`
  std::vector<ExportedKey> keys;  // by id; sessions that have ended are left out
  std::string next;               // the id after which more follow; empty: none do
};

/// What an import takes of an account: its own row and some of its keys.
struct KeysToImport {
  AccountInfo account;
  std::vector<ExportedKey> keys;
};

struct ExportedCollection {
  Collection value;
  std::int64_t change_order = 0;  // among the account's collections (COLLECTION-10)
};

struct ExportedCollections {
  std::vector<ExportedCollection> collections;  // by id
  std::string next;                             // the id after which more follow; empty: none do
};

struct ItemToImport {
  std::size_t position = 0;
  CollectionItem value;
};

/// What an import takes of a collection: its own row and a run of its items.
struct CollectionToImport {
  Collection value;  // without items
  std::int64_t change_order = 0;
  std::size_t track_count = 0;  // of the whole collection
  std::vector<ItemToImport> items;
};

/// Collections after the one with the id `after`, each as it is in one transaction: as many as hold about `bytes_max`,
/// and at least one where there is one. Empty: there is no such account.
std::optional<ExportedCollections> export_collections(sql::Store& store, const std::string& account,
                                                      const std::string& after, std::size_t bytes_max);

/// All or nothing; gives how many rows are new. Items follow those that the state has. Errors: not_found for the
/// account, unless it is only checked; invalid_request, which names what the state holds otherwise.
Result<std::size_t> import_collections(sql::Store& store, const std::string& account,
                                       const std::vector<CollectionToImport>& collections, ImportMode mode);

}  // namespace tonearm::state
