#include "similar/pools.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "canonical/check.h"
#include "similar/feature_words.h"
#include "similar/method.h"
#include "similar/numbered_hashes.h"
#include "system/threads.h"
#include "text/text_list.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

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
    seen.traits.terms = Traits::terms_of(license(track.license).commercial,
                                         attribution(track.license, track.credit_requested) == Attribution::optional);
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

std::vector<std::uint8_t> terms_of(const std::vector<Traits>& traits) {
  std::vector<std::uint8_t> terms(traits.size());
  std::transform(traits.begin(), traits.end(), terms.begin(), [](const Traits& it) { return it.terms; });
  return terms;
}

/// Adds what lists depend on besides features and terms. Artists are numbered in the order of the pool.
void add_traits(const Pool& pool, const std::vector<bool>& given, OrderedHash& hash) {
  std::unordered_map<std::uint32_t, std::uint64_t> artists;
  for (std::size_t i = 0; i < pool.members.size(); ++i) {
    const Traits& traits = pool.traits[i];
    const bool has_artist = traits.artist != Traits::kNoArtist;
    hash.add(has_artist ? artists.try_emplace(traits.artist, artists.size() + 1).first->second : 0);
    hash.add(std::uint64_t{traits.length});
    hash.add(std::uint64_t{given[pool.members[i]]});
  }
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
  Pools finish(const std::vector<bool>& given, const NeighborOptions& options, Hashing& hashing) {
    artists_ = {};
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      Pool& pool = pools_[i];
      OrderedHash hash(hashing);
      hash.add(kListMethod);
      hash.add(std::uint64_t{pool.members.size()});
      auto order = sorted_numbers(ids_[i]);
      for (const auto number : order) hash.add(ids_[i][number]);
      ids_[i] = {};
      pool.members = in_order(pool.members, order);
      pool.traits = in_order(pool.traits, order);
      pool.rows.finish(std::move(order), options.threads);
      pool.rows.add_to(hash);
      add_traits(pool, given, hash);
      pool.digest.terms = digest_of_terms(terms_of(pool.traits), hashing);
      // Terms decide which tracks are compared if not all are.
      const bool compares_all = compares_every_pair(pool.members.size(), options);
      hash.add(compares_all ? std::string_view() : pool.digest.terms);
      hash.add(std::uint64_t{compares_all ? 0 : options.compared_count});
      pool.digest.tracks = hash.finish();
    }
    return std::move(pools_);
  }

 private:
  Pools pools_;
  std::array<text::TextList, kPoolCount> ids_;
  NumberedHashes artists_;
};

}  // namespace

Pools read_pools(const TrackReader& tracks, const std::vector<bool>& given, const NeighborOptions& options,
                 Hashing& hashing, native::Progress& progress) {
  const WordTable words(options.thesaurus != nullptr ? *options.thesaurus : Thesaurus{});
  PoolReader reader;
  std::vector<Block> blocks(options.threads * kBlocksPerThread);
  const std::size_t count = tracks.size();
  for (std::size_t first = 0; first < count; first += blocks.size() * kBlockTracks) {
    const std::size_t part = std::min(count - first, blocks.size() * kBlockTracks);
    native::in_blocks(part, kBlockTracks, options.threads, [&](std::size_t begin, std::size_t end) {
      read_block(tracks, first + begin, first + end, words, blocks[begin / kBlockTracks]);
    });
    for (std::size_t begin = 0; begin < part; begin += kBlockTracks) reader.add(blocks[begin / kBlockTracks]);
    progress.advance(part);
  }
  return reader.finish(given, options, hashing);
}

}  // namespace tonearm::builder
