#pragma once
// What changed from one version of a catalog to the next (CHANGE-1). A snapshot keeps the changes since several earlier
// versions; the builder compares it with the snapshot before it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm {

/// In the order in which the changes of a version are listed: what forbids a use first (CHANGE-2).
enum class ChangeKind : std::uint8_t { taken_down, license_changed, removed, restored, added };
inline constexpr std::array<std::string_view, 5> kChangeNames{"taken_down", "license_changed", "removed", "restored",
                                                              "added"};

struct CatalogChange {
  ChangeKind kind = ChangeKind::added;
  std::string track_id;
  std::string license_before;  // the license's id; empty if the track was added
  std::string license_after;   // the license's id; empty if the track was removed

  friend bool operator==(const CatalogChange&, const CatalogChange&) = default;
};

/// The changes from a version to the next one that the snapshot knows, sorted by kind, then id by bytes.
struct VersionChanges {
  std::string since;  // a version, as in Tonearm-Catalog
  std::vector<CatalogChange> changes;

  friend bool operator==(const VersionChanges&, const VersionChanges&) = default;
};

/// A part of all changes since a version, oldest version first.
struct ChangesPage {
  struct Entry {
    CatalogChange change;
    std::string version;  // the first one with the change
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;  // on all pages
};

/// What a snapshot keeps at most. Older versions are dropped first.
inline constexpr std::size_t kKnownVersionsMax = 1'000;
inline constexpr std::size_t kKnownChangesMax = 1'000'000;

}  // namespace tonearm
