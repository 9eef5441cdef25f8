#pragma once
// Reads the files of a source and turns their rows into canonical lines.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/line.h"
#include "mapping/mapping.h"
#include "report/report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// Returns the paths of the files that `read_source` reads. Throws Failure if one is missing.
std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder);

using LineCallback = std::function<void(std::uint64_t number, std::variant<Line, Rejection> line)>;

/// Reads all files of a source in `folder`, in the mapping's order, and begins an input of the report for each. Files
/// may be compressed (.gz, .zst). A file that several inputs name is read once: each row goes to every input whose
/// `only` matches, in their order; rows that no input matches are counted. Throws Failure, also if a file with a header
/// lacks a column of the mapping; a column that never occurs in JSON is reported.
void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const LineCallback& callback);

}  // namespace tonearm::builder
