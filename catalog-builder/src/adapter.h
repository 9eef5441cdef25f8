#pragma once
// Reads the files of a source, row by row, and gives them as canonical lines.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "line.h"
#include "mapping.h"
#include "report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// The files that `read_source` reads, as they are called in `folder`. Throws Failure where one is missing.
std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder);

using TakeLine = std::function<void(std::uint64_t number, std::variant<Line, Fault> line)>;

/// Reads all files of a source in `folder`, in the mapping's order, and names each to the report before its first
/// row. A file may also lie there with .gz or .zst behind its name. One that several inputs name is read once, where
/// the first of them stands: each row goes to every input whose `only` takes it, in their order; rows that none takes
/// are counted. Throws Failure, also for a column of the mapping that a file with a header does not have; a column
/// that never occurs in JSON stands in the report.
void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const TakeLine& take);

}  // namespace tonearm::builder
