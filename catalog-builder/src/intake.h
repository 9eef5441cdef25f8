#pragma once
// Where all inputs come together: checks each line, keeps the first track of each id, and in the end turns the ids of
// given neighbors into tracks.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "check.h"
#include "policy.h"
#include "report.h"

namespace tonearm::builder {

struct Collected {
  std::vector<Track> tracks;
  /// Whether the track's own line gave its neighbors; those of the others are computed.
  std::vector<bool> given;
};

class Intake {
 public:
  Intake(CheckOptions options, Policy policy, Report& report)
      : options_(std::move(options)), policy_(std::move(policy)), report_(report) {}

  /// A line of the input that `Report::begin_input` named last. C10: the first track of an id stays. C10.2: so does the
  /// first statement that its license, or the policy, keeps it out; a later line of that id does not bring it in under
  /// another license. Lines with any other fault decide nothing. An id that is decided counts as a duplicate, whatever
  /// else is wrong with the line.
  void take(std::uint64_t line_number, std::variant<Line, Fault> line);

  /// C10: of given neighbors, unknown ids, another kind, the track itself and what is taken down are dropped; C10.3:
  /// speech effects stay only with speech. Empties the intake.
  Collected finish();

 private:
  void leave_out(std::uint64_t line_number, Fault fault);

  CheckOptions options_;
  Policy policy_;
  Report& report_;
  std::vector<Track> tracks_;
  std::vector<std::optional<std::vector<std::string>>> neighbor_ids_;
  std::unordered_map<std::string, std::uint32_t> index_of_;
  std::unordered_set<std::string> kept_out_;
};

/// C4.12: effects of the group `speech`.
bool is_speech(const Track& track);

}  // namespace tonearm::builder
