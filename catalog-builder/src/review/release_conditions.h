#pragma once
// Conditions that stop a release (PROGRAM-27): `--fail-on license-change`, `source-below=95`, `removed-above=N`.

#include <optional>
#include <string>
#include <vector>

#include "review/comparison.h"

namespace tonearm::builder {

struct ReleaseConditions {
  bool license_change = false;
  std::optional<std::uint64_t> source_below_percent;
  std::optional<std::uint64_t> removed_above;

  /// Adds a condition from the command line; false if it is not valid.
  bool add(const std::string& text);
};

/// Marks the license changes that a file approves. Each line contains the id of a track and the ids of its old and new
/// license, which are equal if only status or credit changed. # begins a comment. Throws Failure if the file cannot be
/// read, or a line is malformed or names an unknown license.
void approve(Comparison& comparison, const std::string& path);

/// Returns a sentence for each condition that the comparison meets; empty if the release may proceed.
std::vector<std::string> failed_conditions(const Comparison& comparison, const ReleaseConditions& conditions);

}  // namespace tonearm::builder
