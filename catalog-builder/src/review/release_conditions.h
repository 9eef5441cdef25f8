#pragma once
// Which differences stop a release (PROGRAM-27): `--fail-on license-change`, `source-below=95`, `removed-above=N`.

#include <optional>
#include <string>
#include <vector>

#include "review/comparison.h"

namespace tonearm::builder {

struct ReleaseConditions {
  bool license_change = false;
  std::optional<std::uint64_t> source_below_percent;
  std::optional<std::uint64_t> removed_above;

  /// Adds one as it is written on the command line; false: it is none.
  bool add(const std::string& text);
};

/// Marks the license changes that a file approves: on each line the id of a track, the id of the license
/// that it had and of the one that it has; they are the same where only status or credit changed. Text after # is a
/// comment. Throws Failure for a file that cannot be read, or a line of another form or with a license
/// that does not exist.
void approve(Comparison& comparison, const std::string& path);

/// A sentence for each condition that the comparison meets; none: the release may go on.
std::vector<std::string> failed_conditions(const Comparison& comparison, const ReleaseConditions& conditions);

}  // namespace tonearm::builder
