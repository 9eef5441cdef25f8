#pragma once
// Where all inputs come together: checks each line, keeps the first track of each id, and in the end turns the ids of
// given neighbors into tracks.

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "canonical/check.h"
#include "canonical/license_statement.h"
#include "intake/policy.h"
#include "intake/same_recording.h"
#include "report/report.h"

namespace tonearm::builder {

struct Collected {
  std::vector<Track> tracks;
  /// Whether the track's own line gave its neighbors; those of the others are computed.
  std::vector<bool> given;
  /// Whether the track came from a row of a real source, and is no canonical line.
  std::vector<bool> is_of_source;
};

/// Where lines come from. Canonical ones stand for themselves: the first of an id stays (LINE-3). Rows of real sources
/// may be about one recording. Rows of a supplement only add to others.
enum class Origin : std::uint8_t { canonical, source, supplement };

class Intake {
 public:
  Intake(CheckOptions options, Policy policy, Report& report)
      : options_(std::move(options)), policy_(std::move(policy)), report_(report) {}

  /// A line of the current input (`Report::begin_input`). The first track of an id stays (LINE-3), and so does the
  /// first rejection for its license or by the policy: a later line of that id does not bring it in under another
  /// license (LINE-8). Any other rejection decides nothing. A line of an id that is decided counts as a duplicate,
  /// whatever else is wrong with it.
  ///
  /// Rows of sources that share an id, or the address of the audio, are about one recording, whatever keeps them out.
  /// If their licenses differ, the stricter one counts, in whatever order they are read (LINE-8), and the report says
  /// so. Of tracks that share the address under other ids the first stays, or the first that was taken down. Rows of a
  /// supplement wait for the end, and
  /// so does the choice between tracks of different sources that are one recording (LINE-14, LINE-15).
  void take(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin = Origin::canonical);

  /// Drops given neighbors that are unknown, of another kind, taken down, or the track itself, and those that mix
  /// speech with other effects (LINE-6). Empties the intake.
  Collected finish();
  const Policy& policy() const { return policy_; }

 private:
  /// A row of a supplement; those of one id that cannot be a track are put together.
  struct Supplement {
    std::variant<Line, Rejection> line;
    std::size_t input = 0;
    std::uint64_t number = 0;
    bool energies_differ = false;
    bool tones_differ = false;
  };
  /// What sources state about one recording, each statement once, and the id that it was first met by. Recordings that
  /// turn out to be the same lead to the first of them (`same_as`, which is then the index of another).
  struct Recording {
    const std::string* id = nullptr;
    std::uint32_t same_as = 0;
    std::vector<LicenseStatement> stated;
    std::optional<std::uint32_t> track;    // the first that is kept
    std::vector<std::uint32_t> made_from;  // recordings that it was cut, copied or mixed from
  };
  struct Kept {
    std::size_t input = 0;
    std::uint64_t line = 0;
    bool is_canonical = false;
  };

  /// Which recordings lead to which others, by their roots.
  using Links = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  /// Whether the line became a track.
  bool take_as_track(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin);
  void leave_out(std::uint64_t line_number, Rejection rejection, Origin origin);
  /// What a row of a source says about its recording, before anything keeps it out.
  void note(std::uint64_t line_number, const std::variant<Line, Rejection>& line);
  /// The index of the recording of that id, which is then known.
  std::uint32_t recording_named(const std::string& id);
  std::uint32_t root_of(std::uint32_t recording);
  /// The index of the recording of that id; nothing if no row of a source is about it.
  std::optional<std::uint32_t> recording_of(const std::string& id);
  void join_recordings(std::uint32_t one, std::uint32_t other);
  /// Whether the recording had no such statement yet.
  bool state(std::uint32_t recording, const LicenseStatement& stated);
  void share_statements();
  void spread(const Links& links);
  void keep(std::uint64_t line_number, Candidate candidate, Origin origin);
  void take_supplement(std::uint64_t line_number, std::variant<Line, Rejection> line);
  void finish_supplement(Supplement& supplement);
  void finish_supplements();
  void finish_artists();
  void leave_out_duplicates(std::vector<bool>& is_removed);
  std::optional<Rejection> settle(Track& track, const LicenseStatement& taken, bool is_contradictory);
  void report_contradictions();
  void finish_license(std::size_t track, std::vector<bool>& is_removed);
  void remove_tracks(const std::vector<bool>& is_removed);

  CheckOptions options_;
  Policy policy_;
  Report& report_;
  std::vector<Track> tracks_;
  std::vector<std::optional<std::vector<std::string>>> neighbor_ids_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
  std::vector<Kept> kept_;  // by track
  std::unordered_set<std::string> kept_out_;
  std::unordered_map<std::string, std::string> artist_of_;  // by id, of rows that became no track
  /// Tracks whose audio that of another track is, which was taken down; that one stays.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken_down_as_;
  std::vector<Recording> recordings_;
  std::unordered_map<std::string, std::uint32_t> recording_of_id_;
  std::unordered_map<std::string, std::uint32_t> recording_at_address_;
  SameRecordings same_;
  std::vector<Supplement> supplements_;
  std::unordered_map<std::string, std::size_t> supplement_of_;
};

}  // namespace tonearm::builder
