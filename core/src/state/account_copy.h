#pragma once
// Copies of accounts for their homes (tonearm/home.h): plan and keys in force of one account, and which accounts
// changed since their homes last had one. Throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/home.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// In the transaction that changes or removes the account, so that no change is forgotten.
void note_change(sql::Transaction& transaction, const std::string& account);
/// The first change by account behind `after`.
std::optional<AccountChange> next_change(sql::Store& store, Clock& clock, const std::string& after);
/// Does nothing where the account was changed again.
void forget_change(sql::Store& store, const AccountChange& change);

enum class TakenCopy : std::uint8_t {
  taken,
  older,   // the home has a newer one
  faulty,  // the bytes are no copy
};

/// Writes a copy instead of what the home had of plan and keys; counts and collections stay. Nothing is changed by a
/// copy that is not taken. The same copy again is taken.
TakenCopy take_copy(sql::Store& store, std::string_view copy);

}  // namespace tonearm::state
