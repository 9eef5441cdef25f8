#pragma once
// Writes a generated catalog as canonical lines (docs/spec/canonical-line.md), for measuring whole builds.

#include <string>

#include "generator.h"

namespace tonearm::bench {

/// Writes a line for each track without neighbors, which the build computes. Throws std::runtime_error if the file
/// cannot be written.
void write_canonical_lines(const Generator& generator, const std::string& path);

}  // namespace tonearm::bench
