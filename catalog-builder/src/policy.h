#pragma once
// What an operator leaves out or takes down (`--policy FILE`): a small TOML file.
//
//   left_out_licenses = ["cc-by-nc-3.0", "cc-by-nc-4.0"]
//   left_out_sources  = ["example.org"]
//   left_out_ids      = ["fs-1234"]
//   taken_down        = ["fs-77"]     # found by id, in no search (C10)

#include <optional>
#include <set>
#include <string>

#include "line.h"
#include "tonearm/track.h"

namespace tonearm::builder {

struct Policy {
  std::set<LicenseId> left_out_licenses;
  std::set<std::string, std::less<>> left_out_sources;
  std::set<std::string, std::less<>> left_out_ids;
  std::set<std::string, std::less<>> taken_down;

  /// Why the policy leaves the track out; nothing where it stays. Marks what is taken down.
  std::optional<Fault> apply(Track& track) const;
};

/// Throws Failure for a file that cannot be read, an unknown key or an unknown license id.
Policy read_policy(const std::string& path);

}  // namespace tonearm::builder
