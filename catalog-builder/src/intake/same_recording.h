#pragma once
// Finds rows of different sources that are about one recording although they share neither an id nor an address
// (LINE-14, LINE-15). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Decides which of two tracks is kept: the greater one. Ids break ties.
struct TrackPriority {
  bool taken_down = false;                                 // its recording must not be offered under another id
  bool is_original = false;                                // not cut or copied from another recording
  std::uint32_t facts = 0;                                 // how much is known about it
  auto operator<=>(const TrackPriority&) const = default;  // NOLINT(*-use-nullptr): of the defaulted function
};

TrackPriority priority_of(const Track& track, bool is_original);

/// The values of a row that identify its recording.
struct RowDescription {
  std::string id;  // the part before the last hyphen is the source
  std::string title;
  std::string artist;
  std::uint64_t duration_ms = 0;
  std::vector<std::string> made_from;  // ids of the recordings that it was cut, copied or mixed from
};

/// A row, and the track of its id if that has the same duration.
struct RecordingRow {
  std::string id;
  std::uint64_t duration_ms = 0;
  bool is_original = true;
  std::optional<std::uint32_t> track;
  TrackPriority priority;  // of the track
};

/// A row, and the row that is the same recording. If both are tracks, the second is kept.
using SamePair = std::pair<const RecordingRow*, const RecordingRow*>;

/// Collects rows. Two rows are the same recording if their ids have different prefixes and
/// - title and artist are the same after normalization (`comparable_name`), and the durations differ by at most a
///   twentieth and at most 2 s; or
/// - one was made only from the other, or both only from a third, and the durations differ by at most 2 ms. A mix of
///   several recordings is not the same as any of them.
/// A track has at most one counterpart in each source: the nearest in duration.
class SameRecordings {
 public:
  /// REQUIRES: the duration is above 0.
  void add(const RowDescription& row);
  /// Returns all rows. The caller sets which of them became tracks.
  std::vector<RecordingRow>& rows() { return rows_; }

  /// Returns the pairs in an order that does not depend on the order of reading. Valid until the next `add`.
  std::vector<SamePair> pairs() const;

 private:
  std::vector<RecordingRow> rows_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_name_;      // title and artist
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_original_;  // id of the original
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_id_;
};

/// Returns whether two durations of one title and artist may be the same recording. Sources round to whole seconds.
bool may_be_same_duration(std::uint64_t one_ms, std::uint64_t other_ms);

}  // namespace tonearm::builder
