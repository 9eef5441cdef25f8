#pragma once
// Where all inputs come together: checks each line, keeps the first track of each id, and in the end turns the ids of
// given neighbors into tracks.

#include <map>
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
  /// Rows of sources that share an id are about one recording. Where their licenses differ the stricter one counts, in
  /// whatever order they are read (C10.2), and the report says so; of two that share the audio's address under other
  /// ids the first stays. Rows of a supplement wait for the end.
  void take(std::uint64_t line_number, std::variant<Line, Fault> line, Origin origin = Origin::canonical);

  /// C10: of given neighbors, unknown ids, another kind, the track itself and what is taken down are dropped; C10.3:
  /// speech effects stay only with speech. Empties the intake.
  Collected finish();

 private:
  /// A row of a supplement; those of one id are put together.
  struct Supplement {
    std::variant<Line, Fault> line;
    std::size_t input = 0;
    std::uint64_t number = 0;
  };
  /// What the sources state about the license of an id.
  struct Recording {
    LicenseStatement stated;
    std::optional<LicenseStatement> milder;  // what it stands above
    bool is_at_odds = false;
  };

  void leave_out(std::uint64_t line_number, Fault fault, Origin origin);
  void note_license(const std::string& id, std::uint64_t line_number, std::optional<LicenseStatement> stated);
  /// The id of an earlier track of a source with the same audio address.
  std::optional<std::string> id_at_address(const Track& track);
  void take_supplement(std::uint64_t line_number, std::variant<Line, Fault> line);
  void finish_supplements();
  void finish_licenses();
  void remove_tracks(const std::vector<bool>& is_removed);

  CheckOptions options_;
  Policy policy_;
  Report& report_;
  std::vector<Track> tracks_;
  std::vector<std::optional<std::vector<std::string>>> neighbor_ids_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
  std::vector<std::size_t> input_of_;  // by track
  std::unordered_set<std::string> kept_out_;
  std::map<std::string, Recording> recordings_;
  std::unordered_map<std::string, std::string> id_at_address_;
  std::vector<Supplement> supplements_;
  std::unordered_map<std::string, std::size_t> supplement_of_;
};

/// C4.12: effects of the group `speech`.
bool is_speech(const Track& track);

}  // namespace tonearm::builder
