#pragma once
// What an operator leaves out or takes down (`--policy FILE`): a small TOML file.
//
//   left_out_licenses = ["cc-by-nc-3.0", "cc-by-nc-4.0"]
//   left_out_sources  = ["example.org"]
//   left_out_ids      = ["fs-1234"]
//   taken_down        = ["fs-77"]     # found by id, in no search (TRACK-6)
//
//   [rules]                           # of cleaning (BUILD-18): all are on, false turns one off
//   titles = false

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "canonical/line.h"
#include "cleaning/rules.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// The entries of one list, each with the number of tracks that it matches.
using PolicyList = std::map<std::string, std::uint64_t, std::less<>>;

struct Policy {
  PolicyList left_out_licenses;
  PolicyList left_out_sources;  // case-folded
  PolicyList left_out_ids;
  PolicyList taken_down;
  RuleSet rules;

  /// Why the policy leaves the track out; nothing where it stays. Marks what is taken down and counts matches.
  std::optional<Rejection> apply(Track& track);
  /// Entries that match no track, by the name of their list; a mistyped one is among them.
  std::map<std::string, std::vector<std::string>> unmatched() const;
};

/// Throws Failure for a file that cannot be read, an unknown key, an unknown license id or rule, or what is no domain.
Policy read_policy(const std::string& path);

}  // namespace tonearm::builder
