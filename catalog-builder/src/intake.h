#pragma once
// Where all inputs come together: checks each line, keeps the first track of each id, and in the end turns the ids of
// given neighbors into tracks.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "check.h"
#include "license_statement.h"
#include "policy.h"
#include "report.h"

namespace tonearm::builder {

struct Collected {
  std::vector<Track> tracks;
  /// Whether the track's own line gave its neighbors; those of the others are computed.
  std::vector<bool> given;
};

/// Where lines come from: canonical ones stand for themselves (C10: the first stays); rows of real sources may be about
/// one recording; rows of a supplement only add to others.
enum class Origin : std::uint8_t { canonical, source, supplement };

class Intake {
 public:
  Intake(CheckOptions options, Policy policy, Report& report)
      : options_(std::move(options)), policy_(std::move(policy)), report_(report) {}

  /// A line of the input that `Report::begin_input` named last. C10: the first track of an id stays. C10.2: so does the
  /// first statement that its license, or the policy, keeps it out; a later line of that id does not bring it in under
  /// another license. Lines with any other fault decide nothing. An id that is decided counts as a duplicate, whatever
  /// else is wrong with the line.
  ///
  /// Rows of sources that share an id, or the address of the audio, are about one recording, whatever keeps them out.
  /// Where their licenses differ the stricter one counts, in whatever order they are read (C10.2), and the report says
  /// so; of tracks that share the address under other ids the first stays. Rows of a supplement wait for the end.
  void take(std::uint64_t line_number, std::variant<Line, Fault> line, Origin origin = Origin::canonical);

  /// C10: of given neighbors, unknown ids, another kind, the track itself and what is taken down are dropped; C10.3:
  /// speech effects stay only with speech. Empties the intake.
  Collected finish();

 private:
  /// A row of a supplement; those of one id that cannot be a track are put together.
  struct Supplement {
    std::variant<Line, Fault> line;
    std::size_t input = 0;
    std::uint64_t number = 0;
    bool energies_differ = false;
    bool tones_differ = false;
  };
  /// What sources state about one recording, each statement once, and by which id it was met first. Those that turn
  /// out to be one lead to the first of them (`same_as`, which is then another's place).
  struct Recording {
    const std::string* id = nullptr;
    std::uint32_t same_as = 0;
    std::vector<LicenseStatement> stated;
    std::optional<std::uint32_t> track;  // the first that is kept
  };
  struct Kept {
    std::size_t input = 0;
    bool is_canonical = false;
  };

  void leave_out(std::uint64_t line_number, Fault fault, Origin origin);
  /// What a row of a source says of its recording, before anything keeps it out.
  void note(std::uint64_t line_number, const std::variant<Line, Fault>& line);
  std::uint32_t root_of(std::uint32_t recording);
  /// The place of the recording of that id; nothing where no row of a source said anything of it.
  std::optional<std::uint32_t> recording_of(const std::string& id);
  void join_recordings(std::uint32_t one, std::uint32_t other);
  void state(std::uint32_t recording, const LicenseStatement& stated);
  void keep(Candidate candidate, Origin origin);
  void take_supplement(std::uint64_t line_number, std::variant<Line, Fault> line);
  void finish_supplement(Supplement& supplement);
  void finish_supplements();
  std::optional<Fault> settle(Track& track, const LicenseStatement& taken, bool is_at_odds);
  void finish_licenses();
  void remove_tracks(const std::vector<bool>& is_removed);

  CheckOptions options_;
  Policy policy_;
  Report& report_;
  std::vector<Track> tracks_;
  std::vector<std::optional<std::vector<std::string>>> neighbor_ids_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
  std::vector<Kept> kept_;  // by track
  std::unordered_set<std::string> kept_out_;
  std::vector<Recording> recordings_;
  std::unordered_map<std::string, std::uint32_t> recording_of_id_;
  std::unordered_map<std::string, std::uint32_t> recording_at_address_;
  std::vector<Supplement> supplements_;
  std::unordered_map<std::string, std::size_t> supplement_of_;
};

/// C4.12: effects of the group `speech`.
bool is_speech(const Track& track);

}  // namespace tonearm::builder
