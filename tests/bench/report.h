#pragma once
// What a run found, as Markdown tables for people and as JSON for programs.

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alone.h"
#include "engine.h"
#include "measure.h"

namespace tonearm::bench {

/// Everything a report is made from. What it refers to outlives it.
struct Run {
  std::uint32_t tracks = 0;
  std::uint64_t seed = 0;
  std::size_t rounds = 0;
  std::string snapshot;
  const std::vector<std::unique_ptr<Engine>>& engines;
  const std::vector<Query>& queries;
  const std::vector<Outcome>& outcomes;
  std::optional<Alone> alone;
};

void write_machine(std::ostream& out, const Run& run);
void write_classes(std::ostream& out, const Run& run);
void write_goals(std::ostream& out, const Run& run);
/// The queries in which we win least against plain FTS5.
void write_worst(std::ostream& out, const Run& run);
/// Throws std::runtime_error.
void write_json(const std::string& path, const Run& run);

}  // namespace tonearm::bench
