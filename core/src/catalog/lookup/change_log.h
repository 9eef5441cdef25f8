#pragma once
// The section `changes`: what changed since earlier versions (docs/snapshot-format.md). Few calls need it, so opening a
// catalog reads none of it. Constant, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/storage/extent.h"
#include "tonearm/catalog_changes.h"

namespace tonearm::catalog {

/// Encodes the section. Throws Failure if `log` does not fulfill the requirements of `SnapshotOptions::changes`.
std::string encode_change_log(std::span<const VersionChanges> log);

class ChangeLog {
 public:
  /// The section must outlive the object.
  explicit ChangeLog(const Extent& section) : section_(section) {}

  /// A version, and the number of its first change: all from there on happened since then.
  struct Version {
    std::string name;
    std::uint32_t first_change = 0;
  };
  struct Versions {
    std::vector<Version> all;  // oldest first
    std::uint32_t change_count = 0;

    /// Returns the index of a version, if the section has it.
    std::optional<std::size_t> find(std::string_view name) const;
  };
  Versions versions() const;
  /// Returns the changes from number `begin` to `end`. REQUIRES: `versions` are those of this section, and the numbers
  /// are at most `versions.change_count`.
  std::vector<CatalogChange> changes(const Versions& versions, std::uint32_t begin, std::uint32_t end) const;

 private:
  template <class Value>
  std::vector<Value> values(std::uint64_t offset, std::uint64_t count) const;

  Extent section_;
};

/// For verification: decodes the whole section, and checks its order. `version`: that of the snapshot.
void check_change_log(const Extent& section, const std::string& version);

}  // namespace tonearm::catalog
