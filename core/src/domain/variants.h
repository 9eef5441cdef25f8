#pragma once
// Finds tracks that are variants of one another (SEARCH-14): a numbered family of one artist, "Rain 01" and "Rain 02",
// or the same recording twice. Prefers precision over recall: tracks that may be separate works are not joined. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm {

/// A title that ends in a number, as "Rain (take #02).wav".
struct NumberedTitle {
  std::string stem;  // the text before the number and its separators, case-folded: "rain (take"
  std::uint32_t number = 0;

  friend bool operator==(const NumberedTitle&, const NumberedTitle&) = default;
};
/// Returns nothing if the title does not end in a number, or if the number does not count takes: a year, a part of a
/// date, a pitch; in music also the part, movement, volume or opus of a work.
std::optional<NumberedTitle> numbered_title(Kind kind, std::string_view title);

/// Finds the families of a catalog's tracks. Not thread-safe.
class FamilyFinder {
 public:
  /// The properties of a track that decide its family. Missing texts are empty.
  struct Facts {
    Kind kind = Kind::music;
    std::string_view title;
    std::string_view artist;
    std::string_view original_url;
    std::string_view preview_url;
    std::uint64_t duration_ms = 0;
  };

  /// Adds the next track.
  void add(const Facts& facts);
  /// Adds the next track. A track that was taken down has no variants.
  void add(const Track& track);
  /// Adds a track that has no variants.
  void add_without_variants();
  /// Returns the number of each track's family, in the order in which tracks were added; 0: no variants. Families are
  /// numbered from 1 in the order of their first tracks. Clears the finder.
  std::vector<std::uint32_t> finish();

 private:
  /// The hash of a key. In practice, different keys have different hashes of 128 bits.
  using Key = std::array<std::uint32_t, 4>;
  /// Tracks with the same key are the same recording.
  struct Recording {
    Key key;
    std::uint32_t track = 0;
  };
  /// Tracks with the same stem are a family if their numbers differ.
  struct Stem {
    Key key;
    std::uint32_t track = 0;
    std::uint32_t number = 0;
  };

  static Key hash_of(std::string_view key);
  std::uint32_t root_of(std::uint32_t track);
  void join(std::uint32_t one, std::uint32_t other);
  void join_recordings();
  void join_stems();

  std::vector<std::uint32_t> parents_;  // union-find: an earlier track of the same family, or itself
  std::vector<Recording> recordings_;
  std::vector<Stem> stems_;
};

}  // namespace tonearm
