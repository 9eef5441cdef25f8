#pragma once
// The tables of the state as numbered migrations, and the values of the whole deployment. The SQL is portable: BIGINT
// and TEXT only, bytes as hex. The primary key of every table starts with the account, except `state_meta`,
// `call_parts` and `take_downs`, which have no account.

#include <cstdint>
#include <string>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// The place of a database among those of the state (HOST-56).
struct DatabaseOfState {
  std::int64_t number = 1;
  std::int64_t count = 1;  // of all
  std::string first_id{};  // the id of the first one; empty if there is only one
};

/// What a database of a divided state stores about itself.
struct DatabaseFacts {
  std::string id;                    // random, never changed
  DatabaseOfState stored{0, 0, {}};  // the place it had at the last start; number 0: none
  bool is_used = false;              // whether a server has been started with it
};

struct OpenedSchema {
  std::string key_secret;  // the given one, or else the stored one (KEY-12)
  /// Grows at each opening, so that records of different runs never get the same number, nor those of two databases.
  std::int64_t run = 0;
};

/// Creates or migrates the tables, in one transaction if the store runs DDL in transactions. Throws sql::Failure, also
/// if a newer version wrote the state.
void create_tables(sql::Store& store);

/// Does the same, and counts the run. An empty `key_secret` means the stored one, which the first opening makes; a
/// given one is not stored. Throws sql::Failure.
OpenedSchema open_schema(sql::Store& store, Random& random, std::string key_secret,
                         const DatabaseOfState& database = {});

/// Returns what the database stores about itself. Gives it an id if it has none, and changes nothing else. Throws
/// sql::Failure, also if a newer version wrote the state.
DatabaseFacts prepare_database(sql::Store& store, Random& random);
/// Throws sql::Failure, which names the fault, if the database must not have the place `given`. `open_schema` does the
/// same, and stores the place.
void check_database(const DatabaseFacts& facts, const DatabaseOfState& given);

/// Returns the key secret that was made in the state, or an empty one if there is none (KEY-12). Throws sql::Failure.
std::string read_key_secret(sql::Transaction& transaction);

}  // namespace tonearm::state
