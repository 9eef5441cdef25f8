#pragma once
// Sort keys of the rows of a list: numbers that grow along it, with room between them, so that to add, move or remove
// one row is to write one row. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <vector>

namespace tonearm::state {

/// A sort key for each row of a list, strictly growing. `now`: the one that the row has; empty: none yet. As few rows
/// as possible get another one; where there is no room left between two rows, all of them do.
std::vector<std::int64_t> assign_sort_keys(const std::vector<std::optional<std::int64_t>>& now);

}  // namespace tonearm::state
