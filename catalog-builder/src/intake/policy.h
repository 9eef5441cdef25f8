#pragma once
// The policy of the operator (`--policy FILE`): licenses to offer, tracks to reject or take down, sources to trust.
//
//   offered_licenses  = ["cc0", "cc-by-4.0"]   # no others
//   left_out_licenses = ["cc-by-nc-3.0", "cc-by-nc-4.0"]
//   left_out_sources  = ["example.org"]
//   left_out_ids      = ["fs-1234"]
//   left_out_tags     = ["sfx:gunshot"]
//   taken_down        = ["fs-77"]     # found by id, but not by search (TRACK-6)
//   verified_sources  = ["example.org"]  # whose licenses were checked
//
//   [rules]                           # of cleaning (BUILD-18): all are on; false disables one
//   titles = false

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "canonical/line.h"
#include "cleaning/rules.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// The entries of a list with the number of tracks that they match.
using PolicyList = std::map<std::string, std::uint64_t, std::less<>>;

struct Policy {
  PolicyList offered_licenses;  // empty: all
  PolicyList left_out_licenses;
  PolicyList left_out_sources;  // case-folded
  PolicyList left_out_ids;
  PolicyList left_out_tags;  // "facet:tag"
  PolicyList taken_down;
  PolicyList verified_sources;  // case-folded
  RuleSet rules;

  /// Returns why the policy rejects the track, or nothing. Marks taken-down and verified tracks, and counts matches.
  std::optional<Rejection> apply(Track& track);
  /// Returns the entries that match no track by the name of their list, such as mistyped ones.
  std::map<std::string, std::vector<std::string>> unmatched() const;
};

/// Throws Failure for an unreadable file, an unknown key, license id or rule, and an invalid domain or tag.
Policy read_policy(const std::string& path);
/// Adds the ids of a file with the JSON that `tonearm-admin takedown list --json` prints. Throws Failure for any other
/// file.
void add_take_downs(const std::string& path, Policy& policy);

}  // namespace tonearm::builder
