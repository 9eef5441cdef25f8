#pragma once
// Turns a row of a source into a canonical line by its mapping.

#include <string>
#include <variant>

#include "canonical/line.h"
#include "mapping/mapping.h"
#include "report/report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// Returns the prefix and 15 digits of the SHA-256 of the key (LINE-3).
std::string id_from_key(std::string_view prefix, std::string_view key, Hashing& hashing);

/// Turns a row into a line, or a rejection. Counts repairs and unlisted words in the report.
std::variant<Line, Rejection> line_of_row(const Row& row, const Mapping& mapping, const InputRule& input,
                                          Hashing& hashing, Report& report);

}  // namespace tonearm::builder
