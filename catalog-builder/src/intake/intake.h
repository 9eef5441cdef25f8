#pragma once
// Collects the lines of all inputs: checks each line, keeps the first track of each id, resolves licenses, and at the
// end resolves the ids of given neighbors.

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "canonical/check.h"
#include "intake/policy.h"
#include "intake/recordings.h"
#include "intake/same_recording.h"
#include "report/report.h"
#include "tracks/record_file.h"
#include "tracks/string_table.h"
#include "tracks/track_file.h"

namespace tonearm::builder {

struct Collected {
  TrackFile tracks;
  /// Whether the line of the track listed its neighbors. Those of other tracks are computed.
  std::vector<bool> has_given_neighbors;
  /// Whether the track comes from a row of a source, not from a canonical line.
  std::vector<bool> is_of_source;
};

/// The origin of a line. Canonical lines are independent of each other, and the first line of an id counts (LINE-3).
/// Several rows of sources may be about one recording. Rows of a supplement only add to other rows.
enum class Origin : std::uint8_t { canonical, source, supplement };

class Intake {
 public:
  /// `folder`: for temporary files. Throws Failure, as all calls do, if it is not writable or the disk is full.
  Intake(CheckOptions options, Policy policy, const std::string& folder, Report& report)
      : options_(std::move(options)),
        policy_(std::move(policy)),
        report_(report),
        tracks_(folder),
        neighbor_ids_(folder),
        same_recordings_(folder) {}

  /// Adds a line of the current input (`Report::begin_input`).
  ///
  /// - The first track of an id counts (LINE-3), and so does the first rejection for its license or by the policy: a
  /// later
  ///   line of that id does not add it under another license (LINE-8). Other rejections decide nothing. A later line of
  ///   a decided id counts as a duplicate, whatever else is wrong with it.
  /// - Rows of sources that share an id or the address of the audio are about one recording, even if they are rejected.
  ///   If their licenses differ, the strictest counts, in any order of reading (LINE-8), and the report lists them.
  /// - Of tracks that share an address under different ids, the first is kept, or the first that was taken down.
  /// - Rows of a supplement are applied at the end. Then tracks of different sources that are one recording are merged
  ///   (LINE-14, LINE-15).
  void add(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin = Origin::canonical);

  /// Finishes the tracks and empties the intake. Drops given neighbors that are unknown, of another kind, taken down,
  /// or the track itself, and those that mix speech with other effects (LINE-6).
  Collected finish();
  const Policy& policy() const { return policy_; }

 private:
  /// A row of a supplement, or all rows of one id that cannot be a track.
  struct Supplement {
    std::variant<Line, Rejection> line;
    std::size_t input = 0;
    std::uint64_t number = 0;
    bool energies_differ = false;
    bool tones_differ = false;
  };
  /// The line of a track, and what other tracks need to know of it.
  struct TrackLine {
    std::uint64_t line = 0;
    std::uint32_t input = 0;
    bool is_canonical = false;
    bool taken_down = false;
    bool is_speech = false;
    Kind kind = Kind::music;
  };
  /// The neighbors that a line gives.
  struct GivenNeighbors {
    std::uint32_t track = 0;
    std::uint64_t record = 0;  // of their ids
  };

  /// Returns whether the line became a track.
  bool add_track(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin);
  void store_track(std::uint64_t line_number, Candidate candidate, Origin origin);
  void reject(std::uint64_t line_number, Rejection rejection, Origin origin);
  /// Records what a row of a source states about its recording, even if the row is rejected later.
  void record_statements(std::uint64_t line_number, const std::variant<Line, Rejection>& line);
  void add_supplement(std::uint64_t line_number, std::variant<Line, Rejection> line);
  void apply_supplement(Supplement& supplement);
  void add_to_track(Track& track, Line& line);
  void apply_supplements();
  void fill_artists();
  void add_to_same_recordings(const Track& track);
  void remove_duplicates(std::vector<bool>& is_removed);
  /// Modifies a track, and remembers what other tracks need to know of it.
  void update_track(std::uint32_t index, const std::function<void(Track&)>& change);
  std::optional<Rejection> resolve_license(Track& track, const Recordings::Verdict& verdict);
  std::optional<Rejection> resolve_track(Track& track, RowPlace& stated);
  void resolve_tracks(std::vector<bool>& is_removed);
  void remove_tracks(const std::vector<bool>& is_removed);
  bool may_be_neighbor(std::uint32_t index, std::uint32_t neighbor) const;
  void resolve_neighbors(const GivenNeighbors& given);

  CheckOptions options_;
  Policy policy_;
  Report& report_;
  TrackFile tracks_;
  StringTable ids_;
  std::vector<TrackLine> track_lines_;           // by track
  RecordFile neighbor_ids_;                      // lists of ids
  std::vector<GivenNeighbors> given_neighbors_;  // in the order of tracks
  std::unordered_set<std::string> blocked_ids_;
  std::unordered_map<std::string, std::string> artist_by_id_;  // of rows that did not become tracks
  /// Tracks, and the track that was taken down and replaces them.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> replaced_by_taken_down_;
  Recordings recordings_;
  SameRecordings same_recordings_;
  std::vector<Supplement> supplements_;
  std::unordered_map<std::string, std::size_t> supplement_by_id_;
};

}  // namespace tonearm::builder
