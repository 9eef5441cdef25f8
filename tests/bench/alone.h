#pragma once
// Measures the service in a process of its own: the time to open the snapshot and the memory that it needs.

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
  std::uint64_t anonymous_kb = 0;    // the same after all queries
};

/// Runs in the child: opens the snapshot, sends the queries and writes the results to `output`.
void measure_alone(const std::string& snapshot, const std::string& state, const std::vector<Query>& queries,
                   const std::string& output);

/// Runs `command`, which must be this program with the arguments that lead to `measure_alone`, and reads its output.
Alone run_alone(const std::vector<std::string>& command, const std::string& output);

}  // namespace tonearm::bench
