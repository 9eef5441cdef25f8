#pragma once
// Collects the closest tracks to one. The order in which they are offered changes nothing.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace tonearm::builder {

/// How close a track is, and its index among all tracks in the order of their ids. Greater is closer; equals go by id.
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
inline constexpr int kUnlike = -8'064;
/// Less than any closeness that is offered.
inline constexpr std::int16_t kNowhere = INT16_MIN;

/// The least closeness that is offered, or less.
inline constexpr std::int16_t kAnything = kNowhere + 1;

/// What counts of a closeness (BUILD-4): the likeness, which is what it is above `kUnlike`, at least 1; less one 32nd
/// for each closer track of the same artist, four at most.
constexpr int standing(std::int16_t closeness, std::size_t closer_of_artist) {
  constexpr int kParts = 32;
  constexpr std::size_t kCountedMax = 4;
  const int likeness = std::max(closeness - kUnlike, 1);
  return likeness - likeness * static_cast<int>(std::min(closer_of_artist, kCountedMax)) / kParts;
}

/// What similar lists ask of a track beside its closeness.
struct Traits {
  static constexpr std::uint32_t kNoArtist = std::numeric_limits<std::uint32_t>::max();
  /// Bits of `terms`.
  static constexpr std::uint8_t kCommercial = 1;
  static constexpr std::uint8_t kNeedsNoCredit = 2;
  static constexpr std::uint8_t kTermsEnd = 4;  // greater than any of them together

  std::uint32_t artist = kNoArtist;
  std::uint8_t terms = 0;
};

struct Alike {
  Closeness track;
  std::uint32_t artist = Traits::kNoArtist;
  int standing = 0;
};
/// Gives the candidates their standing among each other, and sorts them: the best first, equals by closeness.
void put_in_order(std::vector<Alike>& candidates);

/// The candidates that stand best, a fixed number of them.
class Best {
 public:
  explicit Best(std::size_t count);

  /// A track that is less close than this changes nothing.
  std::int16_t least() const { return least_; }
  /// Whether the track may be one of them, by what was added so far.
  bool may_take(Closeness track, std::uint32_t artist) const;
  /// REQUIRES: the track was not added before.
  void add(Closeness track, std::uint32_t artist);
  /// Raises `least` as far as what was added allows.
  void settle() { prune(); }

  /// The best first.
  std::vector<Alike> take();

 private:
  void prune();

  std::size_t count_;
  std::vector<Alike> held_;
  int bound_ = 0;  // the standing of the last of them, once there are so many
  std::int16_t least_ = kAnything;
};

/// The neighbors of one track (BUILD-4): the best of all, and beside them the best of those that filters ask for most.
class Nearest {
 public:
  static constexpr std::size_t kOfAll = 64;
  static constexpr std::size_t kCommercial = 20;
  static constexpr std::size_t kNeedsNoCredit = 20;

  /// A track that is less close than this, and has no other terms, changes nothing.
  std::int16_t least(std::uint8_t terms) const;
  bool may_take(Closeness track, const Traits& traits) const;
  /// REQUIRES: the track was not added before.
  void add(Closeness track, const Traits& traits);
  /// Raises `least` as far as what was added allows: to be called between adding likely tracks and the rest.
  void settle();

  /// Indices, in one order.
  std::vector<std::uint32_t> take();

 private:
  struct List {
    std::uint8_t terms;  // that its tracks have
    Best best;
  };
  std::array<List, 3> lists_{List{0, Best(kOfAll)}, List{Traits::kCommercial, Best(kCommercial)},
                             List{Traits::kNeedsNoCredit, Best(kNeedsNoCredit)}};
};

}  // namespace tonearm::builder
