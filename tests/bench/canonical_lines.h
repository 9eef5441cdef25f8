#pragma once
// A generated catalog as canonical lines (docs/spec/canonical-line.md), for measuring whole builds.

#include <string>

#include "generator.h"

namespace tonearm::bench {

/// Writes a line for each track, without neighbors: those are the build's to find. Throws std::runtime_error where the
/// file cannot be written.
void write_canonical_lines(const Generator& generator, const std::string& path);

}  // namespace tonearm::bench
