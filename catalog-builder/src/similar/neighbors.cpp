#include "similar/neighbors.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "canonical/check.h"
#include "similar/neighbor_collector.h"
#include "similar/neighbors_shards.h"
#include "similar/neighbors_vectors.h"
#include "similar/pools.h"
#include "system/threads.h"

namespace tonearm::builder {
namespace {

/// Returns the terms of the pool's tracks in the earlier build. Returns nothing if these are not those that it states,
/// or if so many changed that a search is faster.
std::vector<std::uint8_t> earlier_terms(const Pool& pool, const EarlierNeighbors& earlier, const PoolDigest& stated,
                                        const NeighborOptions& options, Hashing& hashing) {
  std::vector<std::uint8_t> terms(pool.members.size());
  native::in_blocks(terms.size(), kBlockTracks, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) terms[i] = earlier.terms(pool.members[i]).value_or(Traits::kTermsEnd);
  });
  if (digest_of_terms(terms, hashing) != stated.terms) return {};
  constexpr std::size_t kChangedPartMax = 8;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) changed += terms[i] != pool.traits[i].terms ? 1U : 0U;
  if (changed > terms.size() / kChangedPartMax) return {};
  return terms;
}

void keep_lists(const Pool& pool, const std::vector<bool>& given, const EarlierNeighbors& earlier,
                const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store) {
  auto members = pool.members;
  std::sort(members.begin(), members.end(),
            [&](std::uint32_t a, std::uint32_t b) { return earlier.position(a) < earlier.position(b); });
  std::mutex mutex;
  native::in_blocks(members.size(), kBlockTracks, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto index = members[i];
      if (given[index]) continue;
      const auto list = earlier.list(index);
      const std::lock_guard lock(mutex);
      store(index, list);
    }
    progress.advance(end - begin);
  });
}

}  // namespace

std::optional<PoolId> pool_of(const Track& track) {
  if (track.taken_down) return std::nullopt;
  if (track.kind == Kind::music) return PoolId::music;
  return is_speech(track) ? PoolId::speech : PoolId::effects;
}

PoolDigests compute_neighbors(const TrackReader& tracks, const std::vector<bool>& given,
                              const EarlierNeighbors* earlier, const NeighborOptions& options, Hashing& hashing,
                              native::Progress& progress, const StoreNeighbors& store) {
  constexpr std::array<const char*, kPoolCount> kNames{"music", "effects", "speech"};
  NeighborOptions chosen = options;
  if (chosen.threads == 0) chosen.threads = native::processors();
  progress.begin("reading words and tags", tracks.size());
  auto pools = read_pools(tracks, given, chosen, hashing, progress);
  PoolDigests digests;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const Pool pool = std::move(pools[i]);  // frees it after its lists
    if (pool.members.empty()) continue;
    digests[i] = pool.digest;
    progress.begin("finding similar " + std::string(kNames[i]), pool.members.size());
    const PoolDigest stated = earlier != nullptr ? earlier->digest(static_cast<PoolId>(i)) : PoolDigest{};
    const bool are_of_same_tracks = stated.tracks == pool.digest.tracks && earlier->is_intact();
    if (are_of_same_tracks && stated.terms == pool.digest.terms) {
      keep_lists(pool, given, *earlier, chosen, progress, store);
      earlier->check_unchanged();
      continue;
    }
    KnownLists known{earlier};
    if (are_of_same_tracks) known.terms = earlier_terms(pool, *earlier, stated, chosen, hashing);
    const bool are_updated = !known.terms.empty();
    search_neighbors(pool, vectors_of(pool.rows, chosen.threads), given, std::move(known), chosen, progress, store);
    if (are_updated) earlier->check_unchanged();
  }
  return digests;
}

}  // namespace tonearm::builder
