#pragma once
// Turns the rows of a source into canonical lines by its mapping.

#include <functional>
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

/// The files that `read_source` reads, as they are called in `folder`. Throws Failure where one is missing.
std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder);

using TakeLine = std::function<void(std::uint64_t number, std::variant<Line, Fault> line)>;

/// Reads all files of a source in `folder`, in the mapping's order, and names each to the report before its first
/// row. A file may also lie there with .gz or .zst behind its name. Throws Failure.
void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const TakeLine& take);

}  // namespace tonearm::builder
