#pragma once
// What UnwrittenCounts holds: an account and its counts, as a message.

#include <optional>
#include <string>
#include <string_view>

#include "domain/plan.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm::state {

struct CountsOfAccount {
  std::string account;
  CallCounts counts;
};

std::string write_unwritten(const CountsOfAccount& counted);
/// Returns nothing for bytes that `write_unwritten` did not return.
std::optional<CountsOfAccount> read_unwritten(std::string_view bytes);
/// Returns the unwritten counts of an account; nothing if there are none. `counts` may be null.
std::optional<CallCounts> find_unwritten(UnwrittenCounts* counts, const std::string& account);

}  // namespace tonearm::state
