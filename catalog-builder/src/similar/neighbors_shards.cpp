#include "similar/neighbors_shards.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include "system/threads.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kShardSize = 512;
constexpr int kRounds = 4;  // of k-means

using Indices = std::vector<std::uint32_t>;

/// Tracks with similar vectors. Their positions are those of their vectors, which are side by side.
struct Shard {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::uint8_t> terms;  // for each tile, the terms of any of its tracks

  std::size_t size() const { return end - begin; }
};

/// Reorders the values in place: value `order[i]` becomes value `i`.
void permute(std::vector<Vector>& values, const Indices& order) {
  std::vector<bool> is_placed(values.size());
  for (std::size_t first = 0; first < values.size(); ++first) {
    if (is_placed[first]) continue;
    const Vector displaced = values[first];
    std::size_t at = first;
    for (; order[at] != first; at = order[at]) {
      values[at] = values[order[at]];
      is_placed[at] = true;
    }
    values[at] = displaced;
    is_placed[at] = true;
  }
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
  Search(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given, const NeighborGuesses& guesses,
         const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store)
      : members_(pool.members),
        traits_(pool.traits),
        rows_(pool.rows),
        vectors_(std::move(vectors)),
        given_(given),
        guesses_(guesses),
        options_(options),
        progress_(progress),
        store_(store),
        scan_(usable_scans().back()) {
    if (!guesses.empty() && uses_guesses(members_.size(), options)) prepare_guesses();
    make_shards();
  }

  void run() {
    native::in_blocks(shards_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t) { search_for(begin); });
  }

 private:
  void prepare_guesses() {
    vectors_by_index_ = vectors_;
    index_of_member_.assign(guesses_.size(), kNotMember);
    for (std::uint32_t i = 0; i < members_.size(); ++i) index_of_member_[members_[i]] = i;
  }

  void make_shards() {
    const auto ends = make_clusters();
    for (std::size_t i = 0; i < ends.size(); ++i) split_into_shards(i == 0 ? 0 : ends[i - 1], ends[i]);
    for (const auto& shard : shards_) centers_.push_back(center_of(vectors_, members_of(shard)));
    permute(vectors_, order_);
    native::in_blocks(shards_.size(), 16, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) prepare(shards_[i]);
    });
  }

  /// Runs k-means from centers that are spread evenly over the order of ids, even if every pair is compared: the
  /// nearest shards have good candidates, which raise the bounds, so that little else needs to be scored. Orders the
  /// tracks by cluster, and returns the end of each.
  std::vector<std::size_t> make_clusters() {
    const std::size_t count = vectors_.size();
    std::vector<Vector> centers((count + kShardSize - 1) / kShardSize);
    for (std::size_t i = 0; i < centers.size(); ++i) centers[i] = vectors_[i * count / centers.size()];
    std::vector<std::size_t> ends;
    for (int round = 0; round < kRounds; ++round) {
      ends = cluster_by(centers);
      for (std::size_t i = 0; i < centers.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : ends[i - 1];
        if (begin != ends[i]) centers[i] = center_of(vectors_, std::span(order_).subspan(begin, ends[i] - begin));
      }
    }
    return ends;
  }

  /// The tracks at the positions of a shard.
  std::span<const std::uint32_t> members_of(const Shard& shard) const {
    return std::span(order_).subspan(shard.begin, shard.size());
  }

  /// Transposes the vectors of whole tiles, so that tiles need no memory of their own.
  void prepare(Shard& shard) {
    shard.terms.resize((shard.size() + kLanes - 1) / kLanes);
    for (std::size_t i = 0; i < shard.size(); ++i) {
      shard.terms[i / kLanes] = shard.terms[i / kLanes] | traits_[order_[shard.begin + i]].terms;
    }
    for (std::size_t begin = shard.begin; begin + kLanes <= shard.end; begin += kLanes) {
      transpose(std::span(vectors_).subspan(begin).first<kLanes>());
    }
  }

  void fill(Tile& tile, const Shard& shard, std::size_t number) const {
    const std::size_t begin = shard.begin + number * kLanes;
    const auto vectors = std::span(vectors_).subspan(begin, std::min(kLanes, shard.end - begin));
    if (vectors.size() == kLanes) {
      builder::fill_transposed(tile, vectors.first<kLanes>());
    } else {
      builder::fill(tile, vectors);
    }
    scan_.prepare(tile);
  }

  Vector vector_at(const Shard& shard, std::size_t position) const {
    const std::size_t lane = (position - shard.begin) % kLanes;
    const auto tile = std::span(vectors_).subspan(position - lane);
    return position - lane + kLanes <= shard.end ? vector_of(tile.first<kLanes>(), lane) : tile[lane];
  }

  /// Makes shards of similar size, however many vectors are equal. Sorts by terms, so that few tiles contain the rare
  /// terms that are still searched for after the other lists are full.
  void split_into_shards(std::size_t begin, std::size_t end) {
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(end);
    std::stable_sort(first, last, [&](auto a, auto b) { return traits_[a].terms < traits_[b].terms; });
    const std::size_t count = end - begin;
    const std::size_t parts = (count + kShardSize - 1) / kShardSize;
    for (std::size_t i = 0; i < parts; ++i) {
      shards_.push_back({begin + i * count / parts, begin + (i + 1) * count / parts, {}});
    }
  }

  /// Orders the tracks by the nearest center, and returns the end of each cluster.
  std::vector<std::size_t> cluster_by(const std::vector<Vector>& centers) {
    std::vector<Tile> tiles((centers.size() + kLanes - 1) / kLanes);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const std::size_t begin = i * kLanes;
      builder::fill(tiles[i], std::span(centers).subspan(begin, std::min(kLanes, centers.size() - begin)));
      scan_.prepare(tiles[i]);
    }
    Indices nearest(vectors_.size());
    native::in_blocks(vectors_.size(), 1024, options_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i += kQueries) assign(tiles, i, std::min(i + kQueries, end), nearest);
    });
    std::vector<std::size_t> ends(centers.size());
    for (const auto cluster : nearest) ++ends[cluster];
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::size_t{0});
    order_.resize(nearest.size());
    for (std::uint32_t i = 0; i < nearest.size(); ++i) order_[ends[nearest[i]]++] = i;
    return ends;
  }

  void assign(const std::vector<Tile>& tiles, std::size_t begin, std::size_t end, Indices& nearest) const {
    std::array<Query, kQueries> queries{};
    for (std::size_t i = begin; i < end; ++i) queries[i - begin] = query_of(vectors_[i]);
    std::array<Closeness, kQueries> best;
    Closenesses found;
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
      scan_.compare(tiles[tile], queries.data(), found);
      for (std::size_t i = 0; i < end - begin; ++i) {
        if (found.greatest[i] < best[i].value()) continue;
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
      seen += shards_[order[i].index()].size();
    }
    return near;
  }

  void search_for(std::size_t number) {
    const Shard& shard = shards_[number];
    Indices indices;
    std::vector<Query> queries;
    for (std::size_t position = shard.begin; position < shard.end; ++position) {
      const auto index = order_[position];
      if (given_[members_[index]]) continue;
      indices.push_back(index);
      queries.push_back(query_of(vector_at(shard, position)));
    }
    if (indices.empty()) return progress_.advance(shard.size());
    queries.resize((indices.size() + kQueries - 1) / kQueries * kQueries);
    std::vector<Found> nearest;
    std::vector<Bounds> bounds;
    nearest.reserve(indices.size());
    bounds.reserve(indices.size());
    for (const auto index : indices) bounds.push_back(bounds_of(nearest.emplace_back(seeded(index)).best));
    for (const auto near : shards_near(number)) scan_shard(shards_[near], indices, queries, nearest, bounds);
    store_lists(indices, nearest);
    progress_.advance(shard.size());
  }

  void store_lists(const Indices& indices, std::vector<Found>& nearest) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      auto list = nearest[i].best.take();
      for (auto& neighbor : list) neighbor = members_[neighbor];
      const std::lock_guard lock(store_mutex_);
      store_(members_[indices[i]], list);
    }
  }

  /// Returns the guesses for a track that are in the pool.
  Indices guesses_for(std::uint32_t self) const {
    Indices guesses;
    for (const auto guess : guesses_[members_[self]]) {
      if (index_of_member_[guess] != kNotMember) guesses.push_back(index_of_member_[guess]);
    }
    return guesses;
  }

  /// Starts with the guesses: good ones raise the bounds, so that little else needs to be scored. If there are too few,
  /// the guesses of the first guesses are added.
  Found seeded(std::uint32_t self) const {
    constexpr std::size_t kExpandedGuesses = 2;
    Found found;
    if (index_of_member_.empty()) return found;
    const auto guesses = guesses_for(self);
    add_guesses(guesses, self, found);
    const auto bounds = bounds_of(found.best);
    const bool is_complete =
        std::none_of(bounds.begin(), bounds.end(), [](auto lower_bound) { return lower_bound <= kMinOffered; });
    for (std::size_t i = 0; !is_complete && i < std::min(kExpandedGuesses, guesses.size()); ++i) {
      add_guesses(guesses_for(guesses[i]), self, found);
    }
    return found;
  }

  Closeness likeness(std::int16_t value, std::uint32_t self, std::uint32_t other) const {
    return {less_by_length(value, traits_[self], traits_[other]), other};
  }

  void add_guesses(Indices guesses, std::uint32_t self, Found& found) const {
    std::sort(guesses.begin(), guesses.end());
    guesses.erase(std::unique(guesses.begin(), guesses.end()), guesses.end());
    const auto before = static_cast<std::ptrdiff_t>(found.guessed.size());
    for (const auto other : guesses) {
      const auto known = found.guessed.begin() + before;
      if (other == self || std::binary_search(found.guessed.begin(), known, other)) continue;
      found.guessed.push_back(other);
      const Closeness track = likeness(closeness(vectors_by_index_[self], vectors_by_index_[other]), self, other);
      if (found.best.may_accept(track, traits_[other]) && rows_.share_distinctive_feature(self, other)) {
        found.best.add(track, traits_[other]);
      }
    }
    found.best.prune();
    std::sort(found.guessed.begin(), found.guessed.end());
  }

  void scan_shard(const Shard& shard, const Indices& indices, const std::vector<Query>& queries,
                  std::vector<Found>& nearest, std::vector<Bounds>& bounds) const {
    Closenesses found;
    Tile tile;
    for (std::size_t number = 0; number < shard.terms.size(); ++number) {
      fill(tile, shard, number);
      const auto others = members_of(shard).subspan(number * kLanes);
      for (std::size_t i = 0; i < indices.size(); i += kQueries) {
        scan_.compare(tile, &queries[i], found);
        for (std::size_t query = 0; query < std::min(kQueries, indices.size() - i); ++query) {
          const std::int16_t lower_bound = bounds[i + query][shard.terms[number]];
          if (found.greatest[query] < lower_bound) continue;
          for (std::size_t lane = 0; lane < std::min(kLanes, others.size()); ++lane) {
            const std::int16_t value = found.values[query][lane];
            if (value >= lower_bound) offer(value, others[lane], indices[i + query], nearest[i + query]);
          }
          bounds[i + query] = bounds_of(nearest[i + query].best);
        }
      }
    }
  }

  void offer(std::int16_t value, std::uint32_t other, std::uint32_t self, Found& nearest) const {
    if (other == self || nearest.was_guessed(other)) return;
    const Closeness track = likeness(value, self, other);
    if (nearest.best.may_accept(track, traits_[other]) && rows_.share_distinctive_feature(self, other)) {
      nearest.best.add(track, traits_[other]);
    }
  }

  static constexpr auto kNotMember = std::numeric_limits<std::uint32_t>::max();

  const std::vector<std::uint32_t>& members_;
  const std::vector<Traits>& traits_;
  const FeatureRows& rows_;
  std::vector<Vector> vectors_;  // by position, once there are shards
  const std::vector<bool>& given_;
  const NeighborGuesses& guesses_;
  NeighborOptions options_;
  native::Progress& progress_;
  const StoreNeighbors& store_;
  std::mutex store_mutex_;
  Scan scan_;
  Indices order_;  // the track at each position
  std::vector<Shard> shards_;
  std::vector<Vector> centers_;
  // Empty if guesses are not used.
  std::vector<Vector> vectors_by_index_;
  Indices index_of_member_;  // by index of the list of all tracks
};

}  // namespace

void search_neighbors(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given,
                      const NeighborGuesses& guesses, const NeighborOptions& options, native::Progress& progress,
                      const StoreNeighbors& store) {
  Search(pool, std::move(vectors), given, guesses, options, progress, store).run();
}

}  // namespace tonearm::builder
