#include "similar/pools.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "canonical/check.h"
#include "similar/numbered_hashes.h"
#include "system/threads.h"
#include "text/text_list.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kBlockTracks = 1'024;
constexpr std::size_t kBlocksPerThread = 4;

/// What is read of a track.
struct Seen {
  std::uint32_t index = 0;
  PoolId pool = PoolId::music;
  std::string id;
  std::optional<std::uint64_t> artist;  // a hash; names that differ only in case share it
  Traits traits;                        // without the artist
  std::size_t features_end = 0;         // in its block
};

/// Consecutive tracks that are in a pool.
struct Block {
  std::vector<Seen> tracks;
  std::vector<NamedFeature> features;  // of one track after the other
};

void read_block(const TrackReader& tracks, std::size_t begin, std::size_t end, const WordTable& words, Block& block) {
  FeatureReader reader(words);
  block.tracks.clear();
  block.features.clear();
  for (std::size_t i = begin; i < end; ++i) {
    Track track = tracks.read(static_cast<std::uint32_t>(i));
    const auto pool = pool_of(track);
    if (!pool) continue;
    Seen& seen = block.tracks.emplace_back();
    seen.index = static_cast<std::uint32_t>(i);
    seen.pool = *pool;
    if (!track.artist.empty()) seen.artist = hash_of("artist", text::fold_case(track.artist));
    seen.traits.length = length_of(track);
    if (license(track.license).commercial) seen.traits.terms = seen.traits.terms | Traits::kCommercial;
    if (attribution(track.license, track.credit_requested) == Attribution::optional) {
      seen.traits.terms = seen.traits.terms | Traits::kNeedsNoCredit;
    }
    const auto features = reader.features_of(track);
    block.features.insert(block.features.end(), features.begin(), features.end());
    seen.features_end = block.features.size();
    seen.id = std::move(track.id);
  }
}

/// Returns the numbers of the texts in the order of the texts.
std::vector<std::uint32_t> sorted_numbers(const text::TextList& texts) {
  std::vector<std::uint32_t> numbers(texts.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::sort(numbers.begin(), numbers.end(), [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
  return numbers;
}

template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values, const std::vector<std::uint32_t>& order) {
  std::vector<Value> result;
  result.reserve(order.size());
  for (const auto number : order) result.push_back(values[number]);
  return result;
}

class PoolReader {
 public:
  void add(const Block& block) {
    std::size_t begin = 0;
    for (const Seen& seen : block.tracks) {
      const auto at = static_cast<std::size_t>(seen.pool);
      ids_[at].append(seen.id);
      Pool& pool = pools_[at];
      pool.members.push_back(seen.index);
      pool.traits.push_back(seen.traits);
      if (seen.artist) pool.traits.back().artist = artists_.number_of(*seen.artist);
      pool.rows.append(std::span(block.features).subspan(begin, seen.features_end - begin));
      begin = seen.features_end;
    }
  }

  /// Sorts each pool by id.
  Pools finish(std::uint32_t threads) {
    artists_ = {};
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      Pool& pool = pools_[i];
      auto order = sorted_numbers(std::exchange(ids_[i], {}));
      pool.members = in_order(pool.members, order);
      pool.traits = in_order(pool.traits, order);
      pool.rows.finish(std::move(order), threads);
    }
    return std::move(pools_);
  }

 private:
  Pools pools_;
  std::array<text::TextList, kPoolCount> ids_;
  NumberedHashes artists_;
};

}  // namespace

Pools read_pools(const TrackReader& tracks, const WordTable& words, std::uint32_t threads, native::Progress& progress) {
  PoolReader reader;
  std::vector<Block> blocks(threads * kBlocksPerThread);
  const std::size_t count = tracks.size();
  for (std::size_t first = 0; first < count; first += blocks.size() * kBlockTracks) {
    const std::size_t part = std::min(count - first, blocks.size() * kBlockTracks);
    native::in_blocks(part, kBlockTracks, threads, [&](std::size_t begin, std::size_t end) {
      read_block(tracks, first + begin, first + end, words, blocks[begin / kBlockTracks]);
    });
    for (std::size_t begin = 0; begin < part; begin += kBlockTracks) reader.add(blocks[begin / kBlockTracks]);
    progress.advance(part);
  }
  return reader.finish(threads);
}

}  // namespace tonearm::builder
