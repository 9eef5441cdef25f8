#pragma once
// Collects the lists of /v1/meta (META-1) from all tracks that are not taken down, in the order of the answer.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tonearm/snapshot_writer.h"

struct sqlite3;

namespace tonearm::catalog {

class ListingBuilder {
 public:
  /// REQUIRES: the track is not taken down.
  void add(const Track& track);
  /// Fills the table `listing`.
  void write(sqlite3* database, const SnapshotOptions& options) const;
  struct Creators {
    std::string section;                          // `creators`
    std::vector<std::uint32_t> starts;            // the offset of each creator in the section, by name
    std::map<std::string, std::uint32_t> number;  // the rank among all names, by folded name
  };
  Creators creators() const;

 private:
  std::array<std::array<std::set<std::string>, kFacetCount>, 2> tags_;
  std::array<bool, kEnergyNames.size()> energies_{};
  std::array<bool, kToneNames.size()> tones_{};
  std::array<bool, kCategoryCount> categories_{};
  std::array<bool, kLicenseCount + 1> licenses_{};
  std::map<std::string, std::uint64_t> sources_;
  std::map<std::string, std::map<std::string, std::uint64_t>> creators_;  // spellings by folded name
};

}  // namespace tonearm::catalog
