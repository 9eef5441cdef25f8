#pragma once
// Which tracks are variants of one another (SEARCH-14): a numbered family of one artist, "Rain 01" and "Rain 02", or
// the same recording twice. Careful rather than complete: what may be works of their own stays apart. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tonearm/track.h"

namespace tonearm {

/// A title that ends in a number, as "Rain (take #02).wav".
struct NumberedTitle {
  std::string stem;  // what stands before the number and what sets that apart, case-folded: "rain (take"
  std::uint32_t number = 0;

  friend bool operator==(const NumberedTitle&, const NumberedTitle&) = default;
};
/// Nothing where the title ends in no number, or in one that tells something else than takes apart: a year, a part of a
/// date, a pitch; of music also the part, movement, volume or opus of a work.
std::optional<NumberedTitle> numbered_title(Kind kind, std::string_view title);

/// Takes the tracks of a catalog one by one, and tells their families. Not thread-safe.
class FamilyFinder {
 public:
  /// What tells of a track whose variant it is. Texts that a track does not have are empty.
  struct Facts {
    Kind kind = Kind::music;
    std::string_view title;
    std::string_view artist;
    std::string_view original_url;
    std::string_view preview_url;
    std::uint64_t duration_ms = 0;
  };

  /// The next track.
  void add(const Facts& facts);
  /// The same; a track that is taken down has no variants.
  void add(const Track& track);
  /// A track that has no variants.
  void add_alone();
  /// Of each track, in the order in which they came: the number of its family, or 0 where it has no variant. Families
  /// are numbered from 1 on in the order of their first tracks. Empties the finder.
  std::vector<std::uint32_t> finish();

 private:
  /// Tracks with one stem.
  struct Stem {
    std::uint32_t first = 0;
    std::uint32_t number = 0;
    bool numbers_differ = false;
  };

  std::uint32_t root_of(std::uint32_t track);
  void join(std::uint32_t one, std::uint32_t other);
  void join_by(const std::string& recording, std::uint32_t track);

  std::vector<std::uint32_t> same_as_;                         // of a track: an earlier one of its family, or itself
  std::unordered_map<std::string, std::uint32_t> recordings_;  // the first track with what identifies a recording
  std::unordered_map<std::string, std::uint32_t> number_of_stem_;
  std::vector<Stem> stems_;
  std::vector<std::uint32_t> tracks_with_stem_;
  std::vector<std::uint32_t> stem_of_;  // of `tracks_with_stem_`
};

}  // namespace tonearm
