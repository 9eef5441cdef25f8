#pragma once
// The tables of the state as numbered migrations, and the values of the whole deployment. The SQL is portable: BIGINT
// and TEXT only, bytes as hex. The primary key of every table starts with the account, except `state_meta`,
// `call_parts` and `take_downs`, which have no account.

#include <cstdint>
#include <string>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

struct OpenedSchema {
  std::string key_secret;  // the given one, or else the stored one (KEY-12)
  /// Incremented at each opening, so that records of different runs never get the same number.
  std::int64_t run = 0;
};

/// Creates or migrates the tables, in one transaction if the store runs DDL in transactions. An empty `key_secret`
/// means the stored one, which the first opening makes; a given one is not stored. Throws sql::Failure, also if a newer
/// version wrote the state.
OpenedSchema open_schema(sql::Store& store, Random& random, std::string key_secret);

/// Returns the key secret that was made in the state, or an empty one if there is none (KEY-12). Throws sql::Failure.
std::string read_key_secret(sql::Transaction& transaction);

}  // namespace tonearm::state
