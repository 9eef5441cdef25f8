#include "neighbors_shards.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "threads.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kShardSize = 512;
constexpr int kRounds = 4;  // of moving the centers
/// Tracks that stand for their artists, where the shards near a track have too few artists.
constexpr std::size_t kStandInsMax = 4'096;

using Places = std::vector<std::uint32_t>;

struct Shard {
  Places places;  // ascending
  std::vector<Tile> tiles;
};

std::vector<Tile> tiles_of(std::span<const Vector> vectors, std::span<const std::uint32_t> places) {
  std::vector<Tile> tiles;
  for (std::size_t begin = 0; begin < places.size(); begin += kLanes) {
    std::vector<const Vector*> side_by_side;
    for (const auto place : places.subspan(begin, std::min(kLanes, places.size() - begin))) {
      side_by_side.push_back(&vectors[place]);
    }
    tiles.push_back(tile_of(side_by_side));
  }
  return tiles;
}

/// The mean of some vectors, rounded toward zero.
Vector center_of(std::span<const Vector> vectors, std::span<const std::uint32_t> places) {
  std::array<std::int64_t, kDimensions> sums{};
  for (const auto place : places) {
    for (std::size_t d = 0; d < kDimensions; ++d) sums[d] += vectors[place][d];
  }
  Vector center{};
  const auto count = static_cast<std::int64_t>(std::max<std::size_t>(places.size(), 1));
  for (std::size_t d = 0; d < kDimensions; ++d) center[d] = static_cast<std::int8_t>(sums[d] / count);
  return center;
}

Places all_of(std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
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
      std::vector<Places> clusters;
      for (int round = 0; round < kRounds; ++round) {
        clusters = around(centers);
        for (std::size_t i = 0; i < centers.size(); ++i) {
          if (!clusters[i].empty()) centers[i] = center_of(vectors_, clusters[i]);
        }
      }
      for (const auto& cluster : clusters) cut(cluster);
    }
    for (const auto& shard : shards_) centers_.push_back(center_of(vectors_, shard.places));
    in_blocks(shards_.size(), 16, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) shards_[i].tiles = tiles_of(vectors_, shards_[i].places);
    });
  }

  /// Shards of about the same size, however many vectors are the same.
  void cut(std::span<const std::uint32_t> places) {
    const std::size_t parts = (places.size() + kShardSize - 1) / kShardSize;
    for (std::size_t i = 0; i < parts; ++i) {
      const auto begin = places.begin() + static_cast<std::ptrdiff_t>(i * places.size() / parts);
      const auto end = places.begin() + static_cast<std::ptrdiff_t>((i + 1) * places.size() / parts);
      shards_.push_back({Places(begin, end), {}});
    }
  }

  /// The places nearest to each center.
  std::vector<Places> around(const std::vector<Vector>& centers) const {
    const auto tiles = tiles_of(centers, all_of(centers.size()));
    Places nearest(vectors_.size());
    in_blocks(vectors_.size(), 1024, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += kQueries) assign(tiles, i, std::min(i + kQueries, end), nearest);
    });
    std::vector<Places> clusters(centers.size());
    for (std::uint32_t i = 0; i < nearest.size(); ++i) clusters[nearest[i]].push_back(i);
    return clusters;
  }

  void assign(const std::vector<Tile>& tiles, std::size_t begin, std::size_t end, Places& nearest) const {
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
    for (std::size_t i = begin; i < end; ++i) nearest[i] = best[i - begin].place();
  }

  void choose_stand_ins() {
    if (vectors_.size() <= options_.looked_at) return;
    std::vector<std::uint8_t> counts(vectors_.size());
    for (std::uint32_t place = 0; place < vectors_.size() && stand_ins_.size() < kStandInsMax; ++place) {
      const auto artist = artists_[place];
      if (artist == Best::kNoArtist || counts[artist]++ < Best::kSameArtistMax) stand_ins_.push_back(place);
    }
  }

  /// The shards to look through for one, the nearest first.
  Places shards_near(std::size_t shard) const {
    std::vector<Closeness> order;
    for (std::uint32_t i = 0; i < shards_.size(); ++i) {
      order.emplace_back(closeness(centers_[shard], centers_[i]), i);
    }
    std::sort(order.begin(), order.end(), std::greater<>());
    Places near;
    for (std::size_t i = 0, seen = 0; i < order.size() && seen <= options_.looked_at; ++i) {
      near.push_back(order[i].place());
      seen += shards_[order[i].place()].places.size();
    }
    return near;
  }

  void search_for(std::size_t shard) {
    Places places;
    for (const auto place : shards_[shard].places) {
      if (wanted_[place]) places.push_back(place);
    }
    std::vector<WideVector> queries((places.size() + kQueries - 1) / kQueries * kQueries);
    for (std::size_t i = 0; i < places.size(); ++i) queries[i] = widened(vectors_[places[i]]);
    std::vector<Best> best(places.size());
    for (const auto near : shards_near(shard)) look_through(shards_[near], places, queries, best);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!best[i].varied()) add_stand_ins(places[i], best[i]);
      lists_[places[i]] = best[i].take();
    }
    progress_.advance(shards_[shard].places.size());
  }

  void look_through(const Shard& shard, const Places& places, const std::vector<WideVector>& queries,
                    std::vector<Best>& best) const {
    Closenesses found;
    for (std::size_t tile = 0; tile < shard.tiles.size(); ++tile) {
      const auto others = std::span(shard.places).subspan(tile * kLanes);
      for (std::size_t i = 0; i < places.size(); i += kQueries) {
        scan_(shard.tiles[tile], &queries[i], found);
        for (std::size_t query = 0; query < std::min(kQueries, places.size() - i); ++query) {
          offer(found[query], others, places[i + query], best[i + query]);
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
  Places stand_ins_;
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
