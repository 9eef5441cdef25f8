#pragma once
// Finds rows of different sources that are about one recording although they share neither an id nor an address
// (LINE-14, LINE-15).

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tonearm/track.h"
#include "tracks/record_file.h"

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
using SamePair = std::pair<RecordingRow, RecordingRow>;

/// Collects rows. Two rows are the same recording if their ids have different prefixes and
/// - title and artist are the same after normalization (`comparable_name`), and the durations differ by at most a
///   twentieth and at most 2 s; or
/// - one was made only from the other, or both only from a third, and the durations differ by at most 2 ms. A mix of
///   several recordings is not the same as any of them.
/// A track has at most one counterpart in each source: the nearest in duration.
///
/// Names and ids are in a temporary file. Calls throw Failure if the disk is full or fails.
class SameRecordings {
 public:
  /// Sets the track of a row and its priority.
  using FindTrack = std::function<void(RecordingRow&)>;

  explicit SameRecordings(const std::string& folder) : texts_(folder) {}

  /// REQUIRES: the duration is above 0.
  void add(const RowDescription& row);
  /// Returns the pairs in an order that does not depend on the order of reading.
  std::vector<SamePair> pairs(const FindTrack& find_track) const;
  /// Removes all rows.
  void clear();

 private:
  struct Row {
    std::uint64_t name_hash = 0;
    std::uint64_t identity = 0;  // the record of its id and name
    std::uint64_t duration_ms = 0;
    bool has_name = false;
    bool is_original = true;
  };
  struct Identity {
    std::string id;
    std::string name;  // title and artist; empty if one is missing
  };
  /// Rows by what they have in common, in the order of the keys.
  using Groups = std::map<std::string, std::vector<std::uint32_t>>;

  Identity identity_of(std::uint32_t row) const;
  Groups groups_by_name() const;
  Groups groups_by_original() const;
  std::vector<RecordingRow> read(const std::vector<std::uint32_t>& rows, const FindTrack& find_track) const;

  RecordFile texts_;
  std::deque<Row> rows_;
  Groups by_original_;  // rows that were made only from a recording, by its id
};

/// Returns whether two durations of one title and artist may be the same recording. Sources round to whole seconds.
bool may_be_same_duration(std::uint64_t one_ms, std::uint64_t other_ms);

}  // namespace tonearm::builder
