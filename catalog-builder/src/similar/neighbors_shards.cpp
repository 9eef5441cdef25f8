#include "similar/neighbors_shards.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include "similar/list_update.h"
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
  Indices list;              // of an earlier build
  Indices guessed;           // ascending: the tracks that `best` was seeded with
  bool has_offered = false;  // whether others were added

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

/// Tracks whose neighbors are searched for together.
struct Searched {
  Indices indices;
  std::vector<Query> queries;  // of each, and more up to a multiple of kQueries
  std::vector<Found> nearest;
  std::vector<Bounds> bounds;
};

struct TileOfMembers {
  Tile tile;
  Indices members;
  std::uint8_t terms = 0;  // of any of the members
};

class Search {
 public:
  Search(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given, KnownLists known,
         const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store)
      : members_(pool.members),
        traits_(pool.traits),
        rows_(pool.rows),
        vectors_(std::move(vectors)),
        given_(given),
        known_(std::move(known)),
        options_(options),
        progress_(progress),
        store_(store),
        scan_(usable_scans().back()) {
    if (!compares_every_pair(members_.size(), options)) known_ = {};
    if (known_.earlier != nullptr) prepare_known_lists();
    make_shards();
  }

  void run() {
    native::in_blocks(shards_.size(), 1, options_.threads, [&](std::size_t begin, std::size_t) { search_for(begin); });
  }

 private:
  void prepare_known_lists() {
    vectors_by_index_ = vectors_;
    index_of_member_.assign(given_.size(), kNotMember);
    for (std::uint32_t i = 0; i < members_.size(); ++i) index_of_member_[members_[i]] = i;
    if (are_lists_right()) collect_tracks_with_new_terms();
  }

  /// Keeps the tracks that have terms which they did not have before.
  void collect_tracks_with_new_terms() {
    Indices gained;
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      if ((traits_[i].terms & ~known_.terms[i]) != 0) gained.push_back(i);
    }
    for (std::size_t begin = 0; begin < gained.size(); begin += kLanes) {
      auto& [tile, members, terms] = with_new_terms_.emplace_back();
      const auto part = std::span(gained).subspan(begin, std::min(kLanes, gained.size() - begin));
      members.assign(part.begin(), part.end());
      std::vector<Vector> vectors;
      for (const auto member : members) {
        vectors.push_back(vectors_[member]);
        terms = terms | traits_[member].terms;
      }
      builder::fill(tile, vectors);
      scan_.prepare(tile);
    }
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
    if (are_lists_right()) update_lists(indices, queries);
    if (!indices.empty()) {
      auto searched = begin_search(std::move(indices), std::move(queries));
      for (const auto near : shards_near(number)) scan_shard(shards_[near], searched);
      for (std::size_t i = 0; i < searched.indices.size(); ++i) {
        store_list(searched.indices[i], merge_lists(searched.nearest[i].best.take()));
      }
    }
    progress_.advance(shard.size());
  }

  Searched begin_search(Indices indices, std::vector<Query> queries) const {
    Searched searched{std::move(indices), std::move(queries), {}, {}};
    searched.queries.resize((searched.indices.size() + kQueries - 1) / kQueries * kQueries);
    searched.nearest.reserve(searched.indices.size());
    searched.bounds.reserve(searched.indices.size());
    for (const auto index : searched.indices) {
      searched.bounds.push_back(bounds_of(searched.nearest.emplace_back(seeded(index)).best));
    }
    return searched;
  }

  bool are_lists_right() const { return !known_.terms.empty(); }

  /// Stores the lists that need no search of all tracks, and keeps the other tracks in `indices` and `queries`.
  void update_lists(Indices& indices, std::vector<Query>& queries) {
    const auto has_other_terms = [&](std::uint32_t index) { return known_.terms[index] != traits_[index].terms; };
    auto searched = begin_search(indices, queries);
    for (const auto& [tile, members, terms] : with_new_terms_) scan_tile(tile, terms, members, searched);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      Found& nearest = searched.nearest[i];
      if (!nearest.has_offered && std::none_of(nearest.list.begin(), nearest.list.end(), has_other_terms)) {
        store_list(indices[i], std::move(nearest.list));
        continue;
      }
      const auto now = nearest.best.take();
      if (are_final(lists_before(indices[i], nearest.list), now, traits_)) {
        store_list(indices[i], merge_lists(now));
      } else {
        indices[kept] = indices[i];
        queries[kept++] = queries[i];
      }
    }
    indices.resize(kept);
    queries.resize(kept);
  }

  /// Returns the lists of an earlier build that were merged into one.
  NeighborLists lists_before(std::uint32_t self, const Indices& merged) const {
    NeighborCollector best;
    for (const auto other : merged) {
      Traits traits = traits_[other];
      traits.terms = known_.terms[other];
      best.add(likeness(closeness(vectors_by_index_[self], vectors_by_index_[other]), self, other), traits);
    }
    return best.take();
  }

  void store_list(std::uint32_t index, Indices list) {
    for (auto& neighbor : list) neighbor = members_[neighbor];
    const std::lock_guard lock(store_mutex_);
    store_(members_[index], list);
  }

  /// Returns the neighbors that a track had and that are in the pool.
  Indices known_list(std::uint32_t self) const {
    const auto index = members_[self];
    Indices known;
    for (const auto other : are_lists_right() ? known_.earlier->list(index) : known_.earlier->guess(index)) {
      if (index_of_member_[other] != kNotMember) known.push_back(index_of_member_[other]);
    }
    return known;
  }

  /// Starts with the guesses: good ones raise the bounds, so that little else needs to be scored. If there are too few,
  /// the guesses of the first guesses are added.
  Found seeded(std::uint32_t self) const {
    constexpr std::size_t kExpandedGuesses = 2;
    Found found;
    if (index_of_member_.empty()) return found;
    found.list = known_list(self);
    add_guesses(found.list, self, found);
    const auto bounds = bounds_of(found.best);
    const bool is_enough = are_lists_right() || std::none_of(bounds.begin(), bounds.end(), [](auto lower_bound) {
                             return lower_bound <= kMinOffered;
                           });
    for (std::size_t i = 0; !is_enough && i < std::min(kExpandedGuesses, found.list.size()); ++i) {
      add_guesses(known_list(found.list[i]), self, found);
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
      if (found.best.may_accept(track, traits_[other]) &&
          (are_lists_right() || rows_.share_distinctive_feature(self, other))) {
        found.best.add(track, traits_[other]);
      }
    }
    found.best.prune();
    std::sort(found.guessed.begin(), found.guessed.end());
  }

  void scan_shard(const Shard& shard, Searched& searched) const {
    Tile tile;
    for (std::size_t number = 0; number < shard.terms.size(); ++number) {
      fill(tile, shard, number);
      scan_tile(tile, shard.terms[number], members_of(shard).subspan(number * kLanes), searched);
    }
  }

  /// `others`: the tracks of the tile, and any more. `terms`: those of any of them.
  void scan_tile(const Tile& tile, std::uint8_t terms, std::span<const std::uint32_t> others,
                 Searched& searched) const {
    auto& [indices, queries, nearest, bounds] = searched;
    Closenesses found;
    for (std::size_t i = 0; i < indices.size(); i += kQueries) {
      scan_.compare(tile, &queries[i], found);
      for (std::size_t query = 0; query < std::min(kQueries, indices.size() - i); ++query) {
        const std::int16_t lower_bound = bounds[i + query][terms];
        if (found.greatest[query] < lower_bound) continue;
        for (std::size_t lane = 0; lane < std::min(kLanes, others.size()); ++lane) {
          const std::int16_t value = found.values[query][lane];
          if (value >= lower_bound) offer(value, others[lane], indices[i + query], nearest[i + query]);
        }
        bounds[i + query] = bounds_of(nearest[i + query].best);
      }
    }
  }

  void offer(std::int16_t value, std::uint32_t other, std::uint32_t self, Found& nearest) const {
    if (other == self || nearest.was_guessed(other)) return;
    const Closeness track = likeness(value, self, other);
    if (nearest.best.may_accept(track, traits_[other]) && rows_.share_distinctive_feature(self, other)) {
      nearest.best.add(track, traits_[other]);
      nearest.has_offered = true;
    }
  }

  static constexpr auto kNotMember = std::numeric_limits<std::uint32_t>::max();

  const std::vector<std::uint32_t>& members_;
  const std::vector<Traits>& traits_;
  const FeatureRows& rows_;
  std::vector<Vector> vectors_;  // by position, once there are shards
  const std::vector<bool>& given_;
  KnownLists known_;
  NeighborOptions options_;
  native::Progress& progress_;
  const StoreNeighbors& store_;
  std::mutex store_mutex_;
  Scan scan_;
  Indices order_;  // the track at each position
  std::vector<Shard> shards_;
  std::vector<Vector> centers_;
  // Empty if known lists are not used.
  std::vector<Vector> vectors_by_index_;
  Indices index_of_member_;  // by index of the list of all tracks
  std::vector<TileOfMembers> with_new_terms_;
};

}  // namespace

void search_neighbors(const Pool& pool, std::vector<Vector> vectors, const std::vector<bool>& given, KnownLists known,
                      const NeighborOptions& options, native::Progress& progress, const StoreNeighbors& store) {
  Search(pool, std::move(vectors), given, std::move(known), options, progress, store).run();
}

}  // namespace tonearm::builder
