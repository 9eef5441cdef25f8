#pragma once
// Reads the files of a source, row by row, and gives them as canonical lines.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/line.h"
#include "mapping/mapping.h"
#include "report/report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// The files that `read_source` reads, as they are called in `folder`. Throws Failure where one is missing.
std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder);

using LineCallback = std::function<void(std::uint64_t number, std::variant<Line, Rejection> line)>;

/// Reads all files of a source in `folder`, in the mapping's order, and names each to the report before its first
/// row. The name of a file may be followed by .gz or .zst. A file that several inputs name is read once, at the first
/// of them: each row goes to every input whose `only` takes it, in their order; rows that no input takes are counted.
/// Throws Failure, also if a file with a header lacks a column of the mapping; a column that never occurs in JSON is
/// reported.
void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const LineCallback& callback);

}  // namespace tonearm::builder
