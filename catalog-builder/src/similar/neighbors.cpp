#include "similar/neighbors.h"

#include <array>
#include <string>
#include <utility>

#include "canonical/check.h"
#include "similar/neighbors_shards.h"
#include "similar/neighbors_vectors.h"
#include "similar/pools.h"
#include "system/threads.h"

namespace tonearm::builder {

std::optional<PoolId> pool_of(const Track& track) {
  if (track.taken_down) return std::nullopt;
  if (track.kind == Kind::music) return PoolId::music;
  return is_speech(track) ? PoolId::speech : PoolId::effects;
}

void compute_neighbors(const TrackReader& tracks, const std::vector<bool>& given, const NeighborGuesses& guesses,
                       const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store) {
  constexpr std::array<const char*, kPoolCount> kNames{"music", "effects", "speech"};
  NeighborOptions chosen = options;
  if (chosen.threads == 0) chosen.threads = native::processors();
  progress.begin("reading words and tags", tracks.size());
  auto pools = read_pools(tracks, WordTable(options.thesaurus != nullptr ? *options.thesaurus : Thesaurus{}),
                          chosen.threads, progress);
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const Pool pool = std::move(pools[i]);  // frees it after its lists
    if (pool.members.empty()) continue;
    progress.begin("finding similar " + std::string(kNames[i]), pool.members.size());
    search_neighbors(pool, vectors_of(pool.rows, chosen.threads), given, guesses, chosen, progress, store);
  }
}

}  // namespace tonearm::builder
