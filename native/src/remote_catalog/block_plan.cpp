#include "remote_catalog/block_plan.h"

#include <algorithm>
#include <tuple>

namespace tonearm::native {

std::vector<BlockCopy> plan_copies(const BlockHashes& wanted, std::span<const BlockHashes> sources) {
  // Blocks of all sources, by hash, then by source and number.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  for (std::uint32_t source = 0; source < sources.size(); ++source) {
    for (std::uint32_t number = 0; number < sources[source].count(); ++number) blocks.emplace_back(source, number);
  }
  const auto hash_of = [&](const auto& block) -> const Sha256& { return sources[block.first].hash(block.second); };
  std::ranges::sort(blocks,
                    [&](const auto& a, const auto& b) { return std::tie(hash_of(a), a) < std::tie(hash_of(b), b); });
  std::vector<BlockCopy> copies;
  for (std::uint32_t to = 0; to < wanted.count(); ++to) {
    const Sha256& hash = wanted.hash(to);
    const auto found =
        std::lower_bound(blocks.begin(), blocks.end(), hash,
                         [&](const auto& block, const Sha256& sought) { return hash_of(block) < sought; });
    if (found == blocks.end() || hash_of(*found) != hash) continue;
    const auto [source, first] = *found;
    const bool has_same = to < sources[source].count() && sources[source].hash(to) == hash;
    copies.push_back({to, source, has_same ? to : first});
  }
  return copies;
}

}  // namespace tonearm::native
