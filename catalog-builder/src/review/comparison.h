#pragma once
// `tonearm-catalog diff OLD NEW`: what a new snapshot changes (PROGRAM-26). Each track of one file is looked up by its
// id in the other; memory grows with the differences alone.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "review/opened_snapshot.h"

namespace tonearm::builder {

/// What is stated of a track's license, as JSON: id, address, status, attribution.
struct LicenseChange {
  std::string id;
  std::string title;  // in the new snapshot
  std::string before;
  std::string after;
  std::string license_before;  // the license's id alone; an approval names both
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

/// Of a source: tracks that were not taken down.
struct SourceChange {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

struct Comparison {
  /// So many tracks of each list below the first three are named; all are counted.
  static constexpr std::size_t kNamedMax = 10'000;

  std::string old_version;
  std::string new_version;
  // All of these, by id.
  std::vector<LicenseChange> license_changes;
  std::vector<NamedTrack> taken_down;
  std::vector<NamedTrack> restored;  // no longer taken down
  // The first of these.
  std::vector<NamedTrack> removed;
  std::vector<NamedTrack> added;
  std::vector<ChangedTrack> changed;  // other fields than license and addresses of this service
  std::uint64_t removed_count = 0;
  std::uint64_t added_count = 0;
  std::uint64_t changed_count = 0;
  std::uint64_t unchanged_count = 0;
  std::map<std::string, std::uint64_t> changed_fields;  // how many tracks each
  std::map<std::string, SourceChange> sources;
};

/// Throws Failure for a damaged file.
Comparison compare(const OpenedSnapshot& before, const OpenedSnapshot& after);

/// For a person: license changes and take-downs first, at most 50 tracks of each further list.
std::string comparison_text(const Comparison& comparison);
/// One JSON object.
std::string comparison_json(const Comparison& comparison, const std::vector<std::string>& failed_conditions);

}  // namespace tonearm::builder
