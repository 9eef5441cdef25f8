#pragma once
// Turns a row of a source into a canonical line by its mapping.

#include <string>
#include <variant>

#include "line.h"
#include "mapping.h"
#include "report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// C10, id: the prefix and 15 digits of the key's SHA-256.
std::string id_from_key(std::string_view prefix, std::string_view key, Hashing& hashing);

/// What the row says. Counts repairs and unlisted words in the report.
std::variant<Line, Fault> line_of_row(const Row& row, const Mapping& mapping, const InputRule& input, Hashing& hashing,
                                      Report& report);

}  // namespace tonearm::builder
