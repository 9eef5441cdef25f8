#include "recall.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <unordered_map>

#include "generator.h"
#include "neighbors_oracle.h"
#include "similar/neighbors.h"
#include "similar/track_features.h"

namespace tonearm::bench {
namespace {

using test::NaivePool;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kFirst = 20;

/// Generates each track when it is read.
class GeneratedTracks final : public TrackReader {
 public:
  explicit GeneratedTracks(std::uint32_t count) : generator_(count, kSeed) {}

  std::uint32_t size() const override { return generator_.size(); }
  Track read(std::uint32_t index) const override {
    Track track = generator_.track(index);
    track.neighbors.clear();
    return track;
  }

 private:
  Generator generator_;
};

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

/// Hashes all lists, so that two programs can be compared.
std::uint64_t digest(const std::vector<std::vector<std::uint32_t>>& lists) {
  std::uint64_t hash = 0;
  for (const auto& list : lists) {
    for (const auto neighbor : list) hash = builder::mix64(hash ^ neighbor);
    hash = builder::mix64(hash + list.size());
  }
  return hash;
}

}  // namespace

void measure_recall(const RecallOptions& options, std::ostream& out) {
  const GeneratedTracks generated(options.tracks);
  std::vector<std::vector<std::uint32_t>> lists(options.asked == 0 ? 0 : options.tracks);
  builder::NeighborOptions how;
  if (options.compared_count != 0) how.compared_count = options.compared_count;
  how.threads = options.threads;
  const auto began = std::chrono::steady_clock::now();
  native::Progress silent;
  native::OpensslHashing hashing;
  builder::compute_neighbors(generated, std::vector<bool>(options.tracks), nullptr, how, hashing, silent,
                             [&](std::uint32_t index, std::span<const std::uint32_t> neighbors) {
                               if (!lists.empty()) lists[index].assign(neighbors.begin(), neighbors.end());
                             });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  out << options.tracks << " tracks: " << seconds.count() << " s, " << used.ru_utime.tv_sec << " s of processors, "
      << used.ru_maxrss / 1024 << " MiB";
  if (lists.empty()) {
    out << '\n';
    return;
  }
  out << " with all lists, whose digest is " << std::hex << digest(lists) << std::dec << '\n' << std::flush;

  std::vector<Track> tracks;
  tracks.reserve(options.tracks);
  for (std::uint32_t i = 0; i < options.tracks; ++i) {
    tracks.push_back(generated.read(i));
    tracks.back().neighbors = std::move(lists[i]);
  }

  for (const auto& like : test::one_of_each_pool()) {
    const NaivePool pool(tracks, like);
    const auto recall = recall_of(tracks, pool, options.asked);
    out << "  of " << pool.members.size() << ": recall@20 "
        << static_cast<double>(recall.found) / static_cast<double>(std::max<std::size_t>(recall.wanted, 1)) << '\n'
        << std::flush;
  }
}

}  // namespace tonearm::bench
