#include "similar/neighbors_shards.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "runtime/threads.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kShardSize = 512;
constexpr int kRounds = 4;  // of moving the centers
/// Tracks that stand for their artists, where the shards near a track have too few artists.
constexpr std::size_t kStandInsMax = 4'096;

using Indices = std::vector<std::uint32_t>;

struct Shard {
  Indices indices;  // ascending
  std::vector<Tile> tiles;
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

/// The mean of some vectors, rounded toward zero.
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

class Search {
 public:
  Search(std::span<const Vector> vectors, std::span<const std::uint32_t> artists, const std::vector<bool>& wanted,
         const SearchOptions& options, Progress& progress)
      : vectors_(vectors),
        artists_(artists),
        wanted_(wanted),
        options_(options),
        progress_(progress),
        scan_(usable_scans().back()),
        lists_(vectors.size()) {
    make_shards();
    choose_stand_ins();
  }

  std::vector<std::vector<std::uint32_t>> run() {
    in_blocks(shards_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t) { search_for(begin); });
    return std::move(lists_);
  }

 private:
  /// The k-means method, from centers that are spread over the order of the ids.
  void make_shards() {
    const std::size_t count = vectors_.size();
    if (count <= options_.looked_at) {
      cut(all_of(count));
    } else {
      std::vector<Vector> centers((count + kShardSize - 1) / kShardSize);
      for (std::size_t i = 0; i < centers.size(); ++i) centers[i] = vectors_[i * count / centers.size()];
      std::vector<Indices> clusters;
      for (int round = 0; round < kRounds; ++round) {
        clusters = around(centers);
        for (std::size_t i = 0; i < centers.size(); ++i) {
          if (!clusters[i].empty()) centers[i] = center_of(vectors_, clusters[i]);
        }
      }
      for (const auto& cluster : clusters) cut(cluster);
    }
    for (const auto& shard : shards_) centers_.push_back(center_of(vectors_, shard.indices));
    in_blocks(shards_.size(), 16, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) shards_[i].tiles = tiles_of(vectors_, shards_[i].indices);
    });
  }

  /// Shards of about the same size, however many vectors are the same.
  void cut(std::span<const std::uint32_t> indices) {
    const std::size_t parts = (indices.size() + kShardSize - 1) / kShardSize;
    for (std::size_t i = 0; i < parts; ++i) {
      const auto begin = indices.begin() + static_cast<std::ptrdiff_t>(i * indices.size() / parts);
      const auto end = indices.begin() + static_cast<std::ptrdiff_t>((i + 1) * indices.size() / parts);
      shards_.push_back({Indices(begin, end), {}});
    }
  }

  /// The indices nearest to each center.
  std::vector<Indices> around(const std::vector<Vector>& centers) const {
    const auto tiles = tiles_of(centers, all_of(centers.size()));
    Indices nearest(vectors_.size());
    in_blocks(vectors_.size(), 1024, options_.threads, [&](std::size_t begin, std::size_t end) {
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
          if (found[i][lane] < best[i].value()) continue;
          best[i] = std::max(best[i], {found[i][lane], static_cast<std::uint32_t>(tile * kLanes + lane)});
        }
      }
    }
    for (std::size_t i = begin; i < end; ++i) nearest[i] = best[i - begin].index();
  }

  void choose_stand_ins() {
    if (vectors_.size() <= options_.looked_at) return;
    std::vector<std::uint8_t> counts(vectors_.size());
    for (std::uint32_t index = 0; index < vectors_.size() && stand_ins_.size() < kStandInsMax; ++index) {
      const auto artist = artists_[index];
      if (artist == Best::kNoArtist || counts[artist]++ < Best::kSameArtistMax) stand_ins_.push_back(index);
    }
  }

  /// The shards to look through for one, the nearest first.
  Indices shards_near(std::size_t shard) const {
    std::vector<Closeness> order;
    for (std::uint32_t i = 0; i < shards_.size(); ++i) {
      order.emplace_back(closeness(centers_[shard], centers_[i]), i);
    }
    std::sort(order.begin(), order.end(), std::greater<>());
    Indices near;
    for (std::size_t i = 0, seen = 0; i < order.size() && seen <= options_.looked_at; ++i) {
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
    std::vector<Best> best(indices.size());
    for (const auto near : shards_near(shard)) look_through(shards_[near], indices, queries, best);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (!best[i].varied()) add_stand_ins(indices[i], best[i]);
      lists_[indices[i]] = best[i].take();
    }
    progress_.advance(shards_[shard].indices.size());
  }

  void look_through(const Shard& shard, const Indices& indices, const std::vector<WideVector>& queries,
                    std::vector<Best>& best) const {
    Closenesses found;
    for (std::size_t tile = 0; tile < shard.tiles.size(); ++tile) {
      const auto others = std::span(shard.indices).subspan(tile * kLanes);
      for (std::size_t i = 0; i < indices.size(); i += kQueries) {
        scan_(shard.tiles[tile], &queries[i], found);
        for (std::size_t query = 0; query < std::min(kQueries, indices.size() - i); ++query) {
          offer(found[query], others, indices[i + query], best[i + query]);
        }
      }
    }
  }

  void offer(const std::array<std::int16_t, kLanes>& found, std::span<const std::uint32_t> others, std::uint32_t self,
             Best& best) const {
    std::int16_t closest = kNowhere;
    for (const auto value : found) closest = std::max(closest, value);
    if (closest < best.least()) return;
    for (std::size_t lane = 0; lane < std::min(kLanes, others.size()); ++lane) {
      const auto other = others[lane];
      if (found[lane] >= best.least() && other != self) best.offer({found[lane], other}, artists_[other]);
    }
  }

  void add_stand_ins(std::uint32_t self, Best& best) const {
    for (const auto other : stand_ins_) {
      if (other != self) best.offer_first({closeness(vectors_[self], vectors_[other]), other}, artists_[other]);
    }
  }

  std::span<const Vector> vectors_;
  std::span<const std::uint32_t> artists_;
  const std::vector<bool>& wanted_;
  SearchOptions options_;
  Progress& progress_;
  Scan scan_;
  std::vector<Shard> shards_;
  std::vector<Vector> centers_;
  Indices stand_ins_;
  std::vector<std::vector<std::uint32_t>> lists_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> search_neighbors(std::span<const Vector> vectors,
                                                         std::span<const std::uint32_t> artists,
                                                         const std::vector<bool>& wanted, const SearchOptions& options,
                                                         Progress& progress) {
  return Search(vectors, artists, wanted, options, progress).run();
}

}  // namespace tonearm::builder
