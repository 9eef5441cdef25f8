#pragma once
// The tables of the embedded state: numbered migrations, and what belongs to the whole deployment. Portable SQL: BIGINT
// and TEXT only, bytes as hex. Every table but `state_meta` and `call_parts`, which name no account, has the account
// first in its primary key.

#include <cstdint>
#include <string>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct OpenedSchema {
  std::string key_secret;  // the one given, or else the stored one (KEY-12)
  /// One more at each opening: call records written by different runs never get the same number.
  std::int64_t run = 0;
};

/// Makes or migrates the tables, in one transaction. Throws sql::Failure where a newer version wrote the state. An
/// empty `key_secret` means the stored one, made on first opening; a given one is not stored.
OpenedSchema open_schema(sql::Store& store, Random& random, std::string key_secret);

/// The key secret that was made in the state; empty: none was (KEY-12). Throws sql::Failure.
std::string read_key_secret(sql::Transaction& transaction);

}  // namespace tonearm::state
