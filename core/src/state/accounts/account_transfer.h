#pragma once
// Exports accounts and keys from one state and imports them into another (docs/spec/moving.md). Implementations are
// safe for concurrent calls.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "state/accounts/account_administration.h"
#include "state/import_transaction.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"

namespace tonearm::state {

/// The secret of the MACs of all keys (KEY-12).
struct KeySecretInfo {
  Sha256 sha256{};
  std::string made_in_state;  // the secret itself, if the state made it; empty: the operator has it
};

/// A key as its hash, never as itself (KEY-4).
struct ExportedKey {
  KeyInfo info;
  std::string key_sha256;  // 64 hex digits

  friend bool operator==(const ExportedKey&, const ExportedKey&) = default;
};

struct ExportedKeys {
  AccountInfo account;            // without `active_keys`
  std::vector<ExportedKey> keys;  // by id, without expired session keys
  std::string next;               // more keys follow after this id; empty: none
};

/// One piece of an import: the account's own row and some of its keys.
struct KeysToImport {
  AccountInfo account;
  std::vector<ExportedKey> keys;
};

class AccountTransfer {
 public:
  virtual ~AccountTransfer() = default;

  /// Returns the account and some of its keys, those with ids after `after` (MOVE-5). Errors: not_found.
  virtual Result<ExportedKeys> export_keys(std::string_view account, const std::string& after) = 0;
  /// Imports all or nothing, and returns how many rows are new (MOVE-6). Importing the same piece again changes
  /// nothing. Errors: invalid_request, which names the row that differs.
  virtual Result<std::size_t> import_keys(const KeysToImport& source, ImportMode mode) = 0;
  virtual KeySecretInfo key_secret() = 0;
};

}  // namespace tonearm::state
