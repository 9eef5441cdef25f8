#pragma once
// The service in a process of its own: how long it takes to open the snapshot, and what memory it needs.

#include <cstdint>
#include <string>
#include <vector>

#include "query.h"
#include "workspace.h"

namespace tonearm::bench {

struct Alone {
  double open_ms = 0;                // median of several
  double first_answer_ms = 0;        // of the first query after the first opening
  std::uint64_t just_opened_kb = 0;  // anonymous memory of the whole process, before the first query
  std::uint64_t anonymous_kb = 0;    // and after all of them
};

/// In the child: opens, asks, writes what it found to `output`.
void measure_alone(const std::string& snapshot, const std::string& state, const std::vector<Query>& queries,
                   const std::string& output);

/// Runs `command`, this program with the arguments that lead to `measure_alone`, and reads its output.
Alone run_alone(const std::vector<std::string>& command, const std::string& output);

}  // namespace tonearm::bench
