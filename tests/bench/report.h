#pragma once
// Reports a run as Markdown tables for people and as JSON for programs.

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

/// The inputs of a report. Everything that it refers to must outlive it.
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
/// Writes the queries with the smallest lead over plain FTS5.
void write_worst(std::ostream& out, const Run& run);
/// Throws std::runtime_error.
void write_json(const std::string& path, const Run& run);

}  // namespace tonearm::bench
