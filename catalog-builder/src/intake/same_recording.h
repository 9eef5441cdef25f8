#pragma once
// Which rows of different sources are about one recording, though they share neither an id nor an address (LINE-14,
// LINE-15). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// How well a track is described, for the choice which of two stays: the greater one. Ids break ties.
struct Standing {
  bool taken_down = false;                            // stays: its recording is not to be offered under another id
  bool is_original = false;                           // it was not cut or copied from another
  std::uint32_t facts = 0;                            // how much is known of it
  auto operator<=>(const Standing&) const = default;  // NOLINT(*-use-nullptr): of what is defaulted
};

Standing standing_of(const Track& track, bool is_original);

/// What one row says that tells its recording.
struct Description {
  std::string id;  // the part before the last hyphen is the source
  std::string title;
  std::string artist;
  std::uint64_t duration_ms = 0;
  std::vector<std::string> made_from;  // the ids of the recordings that it was cut, copied or mixed from
};

/// A row, and the track that it became, if it did: the one of its id, if that has this length.
struct Described {
  std::string id;
  std::uint64_t duration_ms = 0;
  bool is_original = true;
  std::optional<std::uint32_t> track;
  Standing standing;  // of the track
};

/// The id of one row, and of the one that it is the same recording as. Where both are tracks the second stays.
using SamePair = std::pair<const Described*, const Described*>;

/// Collects rows. Two of them are the same if their ids have different prefixes and
/// - title and artist are comparable (`comparable_name`), and the durations differ by no more than a twentieth, and 2
///   seconds; or
/// - one was made from the other alone, or both from a third alone, and the durations differ by no more than 2 ms. What
///   was mixed from several is none of them.
/// One track is the same as at most one of each source, the nearest in length.
class SameRecordings {
 public:
  /// REQUIRES: the duration is above 0.
  void add(const Description& row);
  /// All rows, for the caller to say which became tracks.
  std::vector<Described>& rows() { return rows_; }

  /// The pairs, in an order that does not depend on that of reading. They are of use until the next row.
  std::vector<SamePair> pairs() const;

 private:
  std::vector<Described> rows_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> named_;      // by title and artist
  std::unordered_map<std::string, std::vector<std::uint32_t>> made_from_;  // by the id of the original
  std::unordered_map<std::string, std::vector<std::uint32_t>> own_;        // by their own id
};

/// Whether the two lengths of recordings of one title and artist can be one: sources round to whole seconds.
bool are_close(std::uint64_t one_ms, std::uint64_t other_ms);

}  // namespace tonearm::builder
