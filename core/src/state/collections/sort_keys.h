#pragma once
// Sort keys of the rows of a list: ascending numbers with gaps, so that adding, moving or removing one row writes only
// that row. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <vector>

namespace tonearm::state {

/// Returns strictly ascending sort keys for the rows of a list. `current`: the key that each row has; empty: none yet.
/// As few keys as possible change. If there is no gap left between two rows, all keys change.
std::vector<std::int64_t> assign_sort_keys(const std::vector<std::optional<std::int64_t>>& current);

}  // namespace tonearm::state
