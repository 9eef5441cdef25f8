#pragma once
// Collects the closest tracks to one. The order in which they are offered changes nothing.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
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

class Best {
 public:
  static constexpr std::size_t kCount = 64;  // BUILD-4
  static constexpr std::size_t kVariedFirst = 10;
  static constexpr std::size_t kSameArtistMax = 3;
  static constexpr std::uint32_t kNoArtist = std::numeric_limits<std::uint32_t>::max();

  Best();

  /// A track that is less close than this changes nothing.
  std::int16_t least() const { return least_; }
  /// REQUIRES: the track was not offered before.
  void offer(Closeness track, std::uint32_t artist);
  /// For the first ten alone; also what was offered before.
  void offer_first(Closeness track, std::uint32_t artist);
  /// Whether there are ten with at most three by one artist.
  bool varied() const { return first_count_ == kVariedFirst; }

  /// Indices: the ten closest of which at most three are by one artist, then the closest others.
  std::vector<std::uint32_t> take();

 private:
  void prune();

  struct First {
    Closeness track;
    std::uint32_t artist = kNoArtist;
  };
  std::array<First, kVariedFirst> first_;  // closest first
  std::size_t first_count_ = 0;
  std::vector<Closeness> all_;
  Closeness bound_;  // of the 64th in `all_`, once there are so many
  std::int16_t least_;
};

}  // namespace tonearm::builder
