#pragma once
// A catalog whose snapshot is still being downloaded: each function waits for the blocks that it lacks, and is then
// replayed (HOST-53). Safe for concurrent calls, which it runs one after the other; none waits for blocks of another.

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "remote_catalog/early_snapshot.h"
#include "tonearm/catalog.h"
#include "tonearm/paged_file.h"

namespace tonearm::native {

/// Waits until the blocks have arrived. Throws Failure if they do not arrive in time.
using BlockWait = std::function<void(std::span<const std::uint32_t>)>;

/// Opens the catalog. The result is in use as long as any catalog that its `without` returned. The error says why the
/// snapshot cannot be served.
Result<std::shared_ptr<const Catalog>> open_early(const std::shared_ptr<const EarlySnapshot>& snapshot,
                                                  const Catalog::Options& options, const BlockWait& wait_to_open,
                                                  BlockWait wait);

}  // namespace tonearm::native
