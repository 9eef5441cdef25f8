#pragma once
// What an operator offers, leaves out, takes down and trusts (`--policy FILE`): a small TOML file.
//
//   offered_licenses  = ["cc0", "cc-by-4.0"]   # no others
//   left_out_licenses = ["cc-by-nc-3.0", "cc-by-nc-4.0"]
//   left_out_sources  = ["example.org"]
//   left_out_ids      = ["fs-1234"]
//   left_out_tags     = ["sfx:gunshot"]
//   taken_down        = ["fs-77"]     # found by id, in no search (TRACK-6)
//   verified_sources  = ["example.org"]  # whose licenses somebody has checked
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
  PolicyList offered_licenses;  // empty: all
  PolicyList left_out_licenses;
  PolicyList left_out_sources;  // case-folded
  PolicyList left_out_ids;
  PolicyList left_out_tags;  // "facet:tag"
  PolicyList taken_down;
  PolicyList verified_sources;  // case-folded
  RuleSet rules;

  /// Why the policy leaves the track out; nothing where it stays. Marks what is taken down or verified, and counts
  /// matches.
  std::optional<Rejection> apply(Track& track);
  /// Entries that match no track, by the name of their list; a mistyped one is among them.
  std::map<std::string, std::vector<std::string>> unmatched() const;
};

/// Throws Failure for a file that cannot be read, an unknown key, an unknown license id or rule, what is no domain or
/// no tag.
Policy read_policy(const std::string& path);

}  // namespace tonearm::builder
