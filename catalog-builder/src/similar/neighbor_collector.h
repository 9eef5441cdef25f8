#pragma once
// Collects the closest tracks to one track. The result does not depend on the order in which candidates are offered.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tonearm::builder {

/// The closeness of a track and its index among all tracks in the order of ids. Greater is closer; ids break ties.
class Closeness {
 public:
  Closeness() = default;
  Closeness(std::int16_t value, std::uint32_t index)
      : key_(std::uint64_t{static_cast<std::uint16_t>(value ^ INT16_MIN)} << 32U |
             (std::numeric_limits<std::uint32_t>::max() - index)) {}

  std::int16_t value() const { return static_cast<std::int16_t>(static_cast<std::uint16_t>(key_ >> 32U) ^ 0x8000U); }
  std::uint32_t index() const { return std::numeric_limits<std::uint32_t>::max() - static_cast<std::uint32_t>(key_); }
  bool operator==(const Closeness& other) const { return key_ == other.key_; }
  bool operator<(const Closeness& other) const { return key_ < other.key_; }
  bool operator>(const Closeness& other) const { return key_ > other.key_; }

 private:
  std::uint64_t key_ = 0;
};

/// The closeness of vectors that have nothing in common: half the square of their length, below 0.
inline constexpr int kUnrelated = -8'064;
/// Less than the closeness of any candidate; marks empty lanes.
inline constexpr std::int16_t kMinCloseness = INT16_MIN;

/// At most the least closeness of any candidate.
inline constexpr std::int16_t kMinOffered = kMinCloseness + 1;

/// A score is the similarity minus one 32nd for each closer track of the same artist, at most four (BUILD-4).
inline constexpr int kScoreParts = 32;
constexpr int lost_parts(std::size_t closer_of_artist) {
  constexpr std::size_t kCountedMax = 4;
  return static_cast<int>(std::min(closer_of_artist, kCountedMax));
}
constexpr int score_of_similarity(int similarity, std::size_t closer_of_artist) {
  return similarity - similarity * lost_parts(closer_of_artist) / kScoreParts;
}
/// Returns the score that ranks neighbors. The similarity is the closeness above `kUnrelated`, and at least 1.
constexpr int score(std::int16_t closeness, std::size_t closer_of_artist) {
  return score_of_similarity(std::max(closeness - kUnrelated, 1), closer_of_artist);
}

/// The properties of a track that lists of similar tracks depend on, besides its closeness.
struct Traits {
  static constexpr std::uint32_t kNoArtist = std::numeric_limits<std::uint32_t>::max();
  /// Bits of `terms`.
  static constexpr std::uint8_t kCommercial = 1;
  static constexpr std::uint8_t kNeedsNoCredit = 2;
  static constexpr std::uint8_t kTermsEnd = 4;  // greater than any combination

  static constexpr std::uint8_t terms_of(bool is_commercial, bool needs_no_credit) {
    return static_cast<std::uint8_t>((is_commercial ? kCommercial : 0) | (needs_no_credit ? kNeedsNoCredit : 0));
  }

  std::uint32_t artist = kNoArtist;
  std::uint8_t terms = 0;
  std::uint16_t length = 0;  // 16 times the binary logarithm of an effect's milliseconds; 0: unknown, or music
};

/// Reduces the closeness of two effects if one is much longer (BUILD-4): their similarity loses an eighth for each
/// doubling beyond four times the length, at most half. Returns at most `closeness`.
constexpr std::int16_t less_by_length(std::int16_t closeness, const Traits& a, const Traits& b) {
  constexpr int kFreeSixteenths = 32;
  constexpr int kCountedMax = 64;
  constexpr int kParts = 128;
  if (a.length == 0 || b.length == 0 || closeness <= kUnrelated) return closeness;
  const int apart = a.length < b.length ? b.length - a.length : a.length - b.length;
  const int counted = std::clamp(apart - kFreeSixteenths, 0, kCountedMax);
  return static_cast<std::int16_t>(closeness - (closeness - kUnrelated) * counted / kParts);
}

struct RankedNeighbor {
  Closeness track;
  std::uint32_t artist = Traits::kNoArtist;
  int score = 0;
};
/// Scores the candidates against each other and sorts them, the best first; closeness breaks ties.
void rank_neighbors(std::vector<RankedNeighbor>& candidates);

/// A top-k collector of the candidates with the best scores.
class TopNeighbors {
 public:
  explicit TopNeighbors(std::size_t count);

  /// Tracks below this closeness cannot change the result.
  std::int16_t lower_bound() const { return lower_bound_; }
  /// Whether the track may be among the best, given the candidates so far.
  bool may_accept(Closeness track, std::uint32_t artist) const;
  /// REQUIRES: the track was not added before.
  void add(Closeness track, std::uint32_t artist);
  /// Drops candidates that cannot be among the best, and raises the lower bound.
  void prune();

  /// Returns the best first, and empties the collector.
  std::vector<RankedNeighbor> take();

 private:
  std::size_t count_;
  std::vector<RankedNeighbor> candidates_;
  std::vector<std::uint32_t> artists_;  // of the candidates
  int worst_score_ = 0;                 // the score of the last of the best `count_`, once there are so many
  std::int16_t lower_bound_ = kMinOffered;
};

/// The lists of neighbors of one track (BUILD-4): the best of all tracks, and the best of those that pass the most
/// frequent filters.
struct NeighborLimits {
  std::uint8_t terms;  // that the tracks of the list must have
  std::size_t count_max;
};
inline constexpr std::array<NeighborLimits, 3> kNeighborLists{
    NeighborLimits{0, 64}, NeighborLimits{Traits::kCommercial, 20}, NeighborLimits{Traits::kNeedsNoCredit, 20}};
/// Each the best first.
using NeighborLists = std::array<std::vector<RankedNeighbor>, kNeighborLists.size()>;
/// Merges the lists. Returns the indices of the neighbors, the best first.
std::vector<std::uint32_t> merge_lists(const NeighborLists& lists);

/// Collects all lists of one track.
class NeighborCollector {
 public:
  /// Tracks with these terms below this closeness cannot change the result.
  std::int16_t lower_bound(std::uint8_t terms) const;
  bool may_accept(Closeness track, const Traits& traits) const;
  /// REQUIRES: the track was not added before.
  void add(Closeness track, const Traits& traits);
  /// Raises the lower bounds. Call it after adding likely tracks and before the rest.
  void prune();

  /// Returns the lists, and empties the collector.
  NeighborLists take();

 private:
  struct List {
    explicit List(const NeighborLimits& limits) : terms(limits.terms), best(limits.count_max) {}

    std::uint8_t terms;
    TopNeighbors best;
  };
  std::array<List, kNeighborLists.size()> lists_{List(kNeighborLists[0]), List(kNeighborLists[1]),
                                                 List(kNeighborLists[2])};
};

}  // namespace tonearm::builder
