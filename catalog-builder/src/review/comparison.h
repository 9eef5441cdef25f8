#pragma once
// `tonearm-catalog diff OLD NEW`: the differences of a new snapshot (PROGRAM-26). Each track of one file is looked up
// by id in the other; memory is proportional to the differences.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "review/opened_snapshot.h"

namespace tonearm::builder {

/// A change of a track's license. Before and after are JSON: id, URL, status, attribution.
struct LicenseChange {
  std::string id;
  std::string title;  // in the new snapshot
  std::string before;
  std::string after;
  std::string license_before;  // only the license's id; an approval names both
  std::string license_after;
  bool is_approved = false;
};

struct NamedTrack {
  std::string id;
  std::string title;
};

struct ChangedTrack {
  std::string id;
  struct Field {
    std::string path;
    std::string before;  // JSON
    std::string after;
  };
  std::vector<Field> fields;
};

/// The number of a source's tracks, without taken-down ones.
struct SourceChange {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

struct Comparison {
  /// The maximum number of tracks in the lists after the first three; all are counted.
  static constexpr std::size_t kNamedMax = 10'000;

  std::string old_version;
  std::string new_version;
  // Complete lists, sorted by id.
  std::vector<LicenseChange> license_changes;
  std::vector<NamedTrack> taken_down;
  std::vector<NamedTrack> restored;  // no longer taken down
  // Bounded lists, sorted by id.
  std::vector<NamedTrack> removed;
  std::vector<NamedTrack> added;
  std::vector<ChangedTrack> changed;  // fields other than the license and this service's URLs
  std::uint64_t removed_count = 0;
  std::uint64_t added_count = 0;
  std::uint64_t changed_count = 0;
  std::uint64_t unchanged_count = 0;
  std::map<std::string, std::uint64_t> changed_fields;  // the number of tracks with each
  std::map<std::string, SourceChange> sources;
};

/// Throws Failure for a damaged file.
Comparison compare(const OpenedSnapshot& before, const OpenedSnapshot& after);

/// Returns a text: license changes and take-downs first, and at most 50 tracks of each further list.
std::string comparison_text(const Comparison& comparison);
/// Returns one JSON object.
std::string comparison_json(const Comparison& comparison, const std::vector<std::string>& failed_conditions);

}  // namespace tonearm::builder
