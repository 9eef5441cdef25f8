#pragma once
// Reads the neighbors of an earlier build (BUILD-25).

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "review/opened_snapshot.h"
#include "similar/neighbors.h"
#include "tonearm/ports.h"
#include "tracks/string_table.h"

namespace tonearm::builder {

/// Matches the tracks of a snapshot by their ids. Eight bytes of memory for each track.
class EarlierSnapshot final : public EarlierNeighbors {
 public:
  /// `ids`: those of this build's tracks, in their order. `hashing` must outlive it. Throws Failure or CatalogDamaged
  /// if the file cannot be used.
  EarlierSnapshot(const std::string& path, const StringTable& ids, Hashing& hashing);

  PoolDigest digest(PoolId pool) const override;
  bool is_intact() const override;
  void check_unchanged() const override;
  std::uint32_t position(std::uint32_t index) const override;
  std::vector<std::uint32_t> list(std::uint32_t index) const override;
  std::vector<std::uint32_t> guess(std::uint32_t index) const override;
  std::optional<std::uint8_t> terms(std::uint32_t index) const override;

  /// Returns the first error that was found in the file; empty if none was.
  std::string message() const;

 private:
  void note(const std::string& what) const;

  OpenedSnapshot snapshot_;
  Hashing& hashing_;
  PoolDigests digests_;
  std::vector<std::uint32_t> positions_;   // by index of the track
  std::vector<std::uint32_t> indices_;     // by position
  mutable std::optional<bool> is_intact_;  // once it was checked
  mutable std::mutex mutex_;               // of the message
  mutable std::string message_;
};

/// Returns the entries of a manifest for the digests.
std::map<std::string, std::string> manifest_entries(const PoolDigests& digests);

}  // namespace tonearm::builder
