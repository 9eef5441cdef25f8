#pragma once
// The table `state_meta`: values of the whole state, by name. Functions throw sql::Failure.

#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::state {

std::optional<std::string> read_meta(sql::Transaction& transaction, const std::string& name);
/// Returns a number from 0; 0 if there is no such value.
std::int64_t read_meta_number(sql::Transaction& transaction, const std::string& name);
void write_meta(sql::Transaction& transaction, const std::string& name, const std::string& value);

}  // namespace tonearm::state
