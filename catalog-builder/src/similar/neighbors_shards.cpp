#include "similar/neighbors_shards.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "system/threads.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kShardSize = 512;
constexpr int kRounds = 4;  // of k-means

using Indices = std::vector<std::uint32_t>;

struct Shard {
  Indices indices;
  std::vector<Tile> tiles;
  std::vector<std::uint8_t> terms;  // for each tile, the terms of any of its tracks
};

std::vector<Tile> tiles_of(std::span<const Vector> vectors, std::span<const std::uint32_t> indices) {
  std::vector<Tile> tiles;
  for (std::size_t begin = 0; begin < indices.size(); begin += kLanes) {
    std::vector<const Vector*> side_by_side;
    for (const auto index : indices.subspan(begin, std::min(kLanes, indices.size() - begin))) {
      side_by_side.push_back(&vectors[index]);
    }
    tiles.push_back(tile_of(side_by_side));
  }
  return tiles;
}

/// Returns the mean of the vectors, rounded toward zero.
Vector center_of(std::span<const Vector> vectors, std::span<const std::uint32_t> indices) {
  std::array<std::int64_t, kDimensions> sums{};
  for (const auto index : indices) {
    for (std::size_t d = 0; d < kDimensions; ++d) sums[d] += vectors[index][d];
  }
  Vector center{};
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(indices.size(), 1));
  for (std::size_t d = 0; d < kDimensions; ++d) center[d] = static_cast<std::int8_t>(sums[d] / count);
  return center;
}

Indices all_of(std::size_t count) {
  Indices indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

/// The neighbors of one track that were found so far.
struct Found {
  NeighborCollector best;
  Indices guessed;  // ascending: the tracks that `best` was seeded with

  bool was_guessed(std::uint32_t other) const { return std::binary_search(guessed.begin(), guessed.end(), other); }
};

/// Caches NeighborCollector::lower_bound by terms: most tiles are skipped after one comparison with it.
using Bounds = std::array<std::int16_t, Traits::kTermsEnd>;

Bounds bounds_of(const NeighborCollector& nearest) {
  Bounds bounds;
  for (std::size_t terms = 0; terms < bounds.size(); ++terms)
    bounds[terms] = nearest.lower_bound(static_cast<std::uint8_t>(terms));
  return bounds;
}

class Search {
 public:
  Search(const Pool& pool, const std::vector<Indices>& guesses, const std::vector<bool>& wanted,
         const SearchOptions& options, native::Progress& progress)
      : vectors_(pool.vectors),
        traits_(pool.traits),
        rows_(pool.rows),
        guesses_(guesses),
        wanted_(wanted),
        options_(options),
        progress_(progress),
        scan_(usable_scans().back()),
        lists_(pool.vectors.size()) {
    make_shards();
  }

  std::vector<std::vector<std::uint32_t>> run() {
    native::in_blocks(shards_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t) { search_for(begin); });
    return std::move(lists_);
  }

 private:
  /// Runs k-means from centers that are spread evenly over the order of ids.
  void make_shards() {
    const std::size_t count = vectors_.size();
    if (count <= options_.compared_count) {
      split_into_shards(all_of(count));
    } else {
      std::vector<Vector> centers((count + kShardSize - 1) / kShardSize);
      for (std::size_t i = 0; i < centers.size(); ++i) centers[i] = vectors_[i * count / centers.size()];
      std::vector<Indices> clusters;
      for (int round = 0; round < kRounds; ++round) {
        clusters = cluster_by(centers);
        for (std::size_t i = 0; i < centers.size(); ++i) {
          if (!clusters[i].empty()) centers[i] = center_of(vectors_, clusters[i]);
        }
      }
      for (auto& cluster : clusters) split_into_shards(std::move(cluster));
    }
    for (const auto& shard : shards_) centers_.push_back(center_of(vectors_, shard.indices));
    native::in_blocks(shards_.size(), 16, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) fill(shards_[i]);
    });
  }

  void fill(Shard& shard) const {
    shard.tiles = tiles_of(vectors_, shard.indices);
    shard.terms.resize(shard.tiles.size());
    for (std::size_t i = 0; i < shard.indices.size(); ++i) {
      shard.terms[i / kLanes] = shard.terms[i / kLanes] | traits_[shard.indices[i]].terms;
    }
  }

  /// Makes shards of similar size, however many vectors are equal. Sorts by terms, so that few tiles contain the rare
  /// terms that are still searched for after the other lists are full.
  void split_into_shards(Indices indices) {
    std::stable_sort(indices.begin(), indices.end(),
                     [&](auto a, auto b) { return traits_[a].terms < traits_[b].terms; });
    const std::size_t parts = (indices.size() + kShardSize - 1) / kShardSize;
    for (std::size_t i = 0; i < parts; ++i) {
      const auto begin = indices.begin() + static_cast<std::ptrdiff_t>(i * indices.size() / parts);
      const auto end = indices.begin() + static_cast<std::ptrdiff_t>((i + 1) * indices.size() / parts);
      shards_.push_back({Indices(begin, end), {}, {}});
    }
  }

  /// Returns the indices of the vectors nearest to each center.
  std::vector<Indices> cluster_by(const std::vector<Vector>& centers) const {
    const auto tiles = tiles_of(centers, all_of(centers.size()));
    Indices nearest(vectors_.size());
    native::in_blocks(vectors_.size(), 1024, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += kQueries) assign(tiles, i, std::min(i + kQueries, end), nearest);
    });
    std::vector<Indices> clusters(centers.size());
    for (std::uint32_t i = 0; i < nearest.size(); ++i) clusters[nearest[i]].push_back(i);
    return clusters;
  }

  void assign(const std::vector<Tile>& tiles, std::size_t begin, std::size_t end, Indices& nearest) const {
    std::array<WideVector, kQueries> queries{};
    for (std::size_t i = begin; i < end; ++i) queries[i - begin] = widened(vectors_[i]);
    std::array<Closeness, kQueries> best;
    Closenesses found;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
      scan_(tiles[tile], queries.data(), found);
      for (std::size_t i = 0; i < end - begin; ++i) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          if (found.values[i][lane] < best[i].value()) continue;
          best[i] = std::max(best[i], {found.values[i][lane], static_cast<std::uint32_t>(tile * kLanes + lane)});
        }
      }
    }
    for (std::size_t i = begin; i < end; ++i) nearest[i] = best[i - begin].index();
  }

  /// Returns the shards to scan for the tracks of one shard, the nearest first.
  Indices shards_near(std::size_t shard) const {
    std::vector<Closeness> order;
    for (std::uint32_t i = 0; i < shards_.size(); ++i) {
      order.emplace_back(closeness(centers_[shard], centers_[i]), i);
    }
    std::sort(order.begin(), order.end(), std::greater<>());
    Indices near;
    for (std::size_t i = 0, seen = 0; i < order.size() && seen <= options_.compared_count; ++i) {
      near.push_back(order[i].index());
      seen += shards_[order[i].index()].indices.size();
    }
    return near;
  }

  void search_for(std::size_t shard) {
    Indices indices;
    for (const auto index : shards_[shard].indices) {
      if (wanted_[index]) indices.push_back(index);
    }
    std::vector<WideVector> queries((indices.size() + kQueries - 1) / kQueries * kQueries);
    for (std::size_t i = 0; i < indices.size(); ++i) queries[i] = widened(vectors_[indices[i]]);
    std::vector<Found> nearest;
    std::vector<Bounds> bounds;
    nearest.reserve(indices.size());
    bounds.reserve(indices.size());
    for (const auto index : indices) bounds.push_back(bounds_of(nearest.emplace_back(seeded(index)).best));
    for (const auto near : shards_near(shard)) scan_shard(shards_[near], indices, queries, nearest, bounds);
    for (std::size_t i = 0; i < indices.size(); ++i) lists_[indices[i]] = nearest[i].best.take();
    progress_.advance(shards_[shard].indices.size());
  }

  /// Starts with the guesses: good ones raise the bounds, so that little else needs to be scored. If there are too few,
  /// the guesses of the first guesses are added.
  Found seeded(std::uint32_t self) const {
    constexpr std::size_t kExpandedGuesses = 2;
    Found found;
    if (vectors_.size() > options_.compared_count) return found;  // the guess may be in a shard that is not scanned
    const auto& guesses = guesses_[self];
    add_guesses(guesses, self, found);
    const auto bounds = bounds_of(found.best);
    const bool is_complete =
        std::none_of(bounds.begin(), bounds.end(), [](auto lower_bound) { return lower_bound <= kMinOffered; });
    for (std::size_t i = 0; !is_complete && i < std::min(kExpandedGuesses, guesses.size()); ++i) {
      add_guesses(guesses_[guesses[i]], self, found);
    }
    return found;
  }

  Closeness likeness(std::int16_t value, std::uint32_t self, std::uint32_t other) const {
    return {less_by_length(value, traits_[self], traits_[other]), other};
  }

  void add_guesses(const Indices& guesses, std::uint32_t self, Found& found) const {
    const auto before = static_cast<std::ptrdiff_t>(found.guessed.size());
    for (const auto other : guesses) {
      const auto known = found.guessed.begin() + before;
      if (other == self || std::binary_search(found.guessed.begin(), known, other)) continue;
      found.guessed.push_back(other);
      const Closeness track = likeness(closeness(vectors_[self], vectors_[other]), self, other);
      if (found.best.may_accept(track, traits_[other]) && rows_.share_distinctive_feature(self, other)) {
        found.best.add(track, traits_[other]);
      }
    }
    found.best.prune();
    std::sort(found.guessed.begin(), found.guessed.end());
  }

  void scan_shard(const Shard& shard, const Indices& indices, const std::vector<WideVector>& queries,
                  std::vector<Found>& nearest, std::vector<Bounds>& bounds) const {
    Closenesses found;
    for (std::size_t tile = 0; tile < shard.tiles.size(); ++tile) {
      const auto others = std::span(shard.indices).subspan(tile * kLanes);
      for (std::size_t i = 0; i < indices.size(); i += kQueries) {
        scan_(shard.tiles[tile], &queries[i], found);
        for (std::size_t query = 0; query < std::min(kQueries, indices.size() - i); ++query) {
          const std::int16_t lower_bound = bounds[i + query][shard.terms[tile]];
          if (found.greatest[query] < lower_bound) continue;
          offer(found.values[query], lower_bound, others, indices[i + query], nearest[i + query]);
          bounds[i + query] = bounds_of(nearest[i + query].best);
        }
      }
    }
  }

  void offer(const std::array<std::int16_t, kLanes>& found, std::int16_t lower_bound,
             std::span<const std::uint32_t> others, std::uint32_t self, Found& nearest) const {
    for (std::size_t lane = 0; lane < std::min(kLanes, others.size()); ++lane) {
      const auto other = others[lane];
      if (found[lane] < lower_bound || other == self || nearest.was_guessed(other)) continue;
      const Closeness track = likeness(found[lane], self, other);
      if (nearest.best.may_accept(track, traits_[other]) && rows_.share_distinctive_feature(self, other)) {
        nearest.best.add(track, traits_[other]);
      }
    }
  }

  std::span<const Vector> vectors_;
  std::span<const Traits> traits_;
  const FeatureRows& rows_;
  const std::vector<Indices>& guesses_;
  const std::vector<bool>& wanted_;
  SearchOptions options_;
  native::Progress& progress_;
  Scan scan_;
  std::vector<Shard> shards_;
  std::vector<Vector> centers_;
  std::vector<std::vector<std::uint32_t>> lists_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> search_neighbors(const Pool& pool,
                                                         const std::vector<std::vector<std::uint32_t>>& guesses,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         native::Progress& progress) {
  return Search(pool, guesses, wanted, options, progress).run();
}

}  // namespace tonearm::builder
