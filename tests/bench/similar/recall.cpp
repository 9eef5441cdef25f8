#include "recall.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <unordered_map>

#include "generator.h"
#include "neighbors_oracle.h"
#include "similar/neighbors.h"

namespace tonearm::bench {
namespace {

using test::NaivePool;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kFirst = 20;

std::vector<Track> generated(std::uint32_t count) {
  const Generator generator(count, kSeed);
  std::vector<Track> tracks;
  tracks.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    tracks.push_back(generator.track(i));
    tracks.back().neighbors.clear();
  }
  return tracks;
}

/// Returns the distances of the neighbors from one track, so that a tie counts as a hit.
std::vector<int> distances(const NaivePool& pool, std::size_t index, const std::vector<std::size_t>& others) {
  std::vector<int> result;
  result.reserve(others.size());
  for (const auto other : others) result.push_back(test::distance(pool.vectors[index], pool.vectors[other]));
  std::sort(result.begin(), result.end());
  return result;
}

struct Recall {
  std::size_t found = 0;
  std::size_t wanted = 0;
};

Recall recall_of(const std::vector<Track>& tracks, const NaivePool& pool, std::uint32_t asked) {
  std::unordered_map<std::uint32_t, std::size_t> rank_of;
  for (std::size_t i = 0; i < pool.members.size(); ++i) rank_of.emplace(pool.members[i], i);
  Recall result;
  const std::size_t count = std::min<std::size_t>(asked, pool.members.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = i * pool.members.size() / count;
    auto wanted = test::naive_neighbors(tracks, pool, index);
    wanted.resize(std::min(wanted.size(), kFirst));
    const auto exact = distances(pool, index, wanted);
    std::vector<std::size_t> listed;
    for (const auto neighbor : tracks[pool.members[index]].neighbors) listed.push_back(rank_of.at(neighbor));
    listed.resize(std::min(listed.size(), kFirst));
    std::vector<int> found;
    std::ranges::set_intersection(exact, distances(pool, index, listed), std::back_inserter(found));
    result.found += found.size();
    result.wanted += exact.size();
  }
  return result;
}

}  // namespace

void measure_recall(const RecallOptions& options, std::ostream& out) {
  auto tracks = generated(options.tracks);
  builder::NeighborOptions how;
  if (options.compared_count != 0) how.compared_count = options.compared_count;
  how.threads = options.threads;
  const auto began = std::chrono::steady_clock::now();
  builder::compute_neighbors(tracks, std::vector<bool>(tracks.size()), how);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  out << options.tracks << " tracks: " << seconds.count() << " s, with the catalog " << used.ru_utime.tv_sec
      << " s of processors and " << used.ru_maxrss / 1024 << " MiB\n";

  for (const auto& like : test::one_of_each_pool()) {
    const NaivePool pool(tracks, like);
    const auto recall = recall_of(tracks, pool, options.asked);
    out << "  of " << pool.members.size() << ": recall@20 "
        << static_cast<double>(recall.found) / static_cast<double>(std::max<std::size_t>(recall.wanted, 1)) << '\n'
        << std::flush;
  }
}

}  // namespace tonearm::bench
