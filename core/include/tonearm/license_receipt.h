#pragma once
// License receipts (RECEIPT-1, docs/concepts/receipts.md): what proves, without a server, what a signed catalog stated
// about a track's license. A record is a leaf of the Merkle tree of RFC 6962 over all tracks; the signed footer of the
// snapshot contains the root. Pure; as thread-safe as `hashing`.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/ports.h"
#include "tonearm/signature.h"

namespace tonearm {

enum class Side : std::uint8_t { left, right };

/// The sibling of a node on the way from a leaf to the root.
struct PathStep {
  Side side = Side::left;
  Sha256 hash{};

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// Returns the SHA-256 of a zero byte and the record.
Sha256 leaf_hash(std::string_view record, Hashing& hashing);
/// Returns the root of the tree over nodes of one level, from left to right; without nodes, the SHA-256 of nothing.
Sha256 tree_root(std::vector<Sha256> nodes, Hashing& hashing);
/// Also appends the siblings of the node `index` and of its ancestors, lowest first. REQUIRES: index < nodes.size().
Sha256 tree_root(std::vector<Sha256> nodes, std::size_t index, Hashing& hashing, std::vector<PathStep>& path);
/// Returns the root to which a path leads.
Sha256 path_root(const Sha256& leaf, std::span<const PathStep> path, Hashing& hashing);

struct LicenseReceipt {
  std::string track_id;
  std::string record;  // JSON, exactly the bytes that are hashed
  std::vector<PathStep> path;
  SignatureClaim claim;  // of the snapshot
};

/// What the signed message of a snapshot states.
struct SignedFacts {
  std::string catalog_version;  // Tonearm-Catalog
  std::string signed_on;        // "2026-01-15", UTC
  Sha256 root{};                // of the license records

  friend bool operator==(const SignedFacts&, const SignedFacts&) = default;
};
/// Empty: the message is not that of a signed snapshot of this format version.
std::optional<SignedFacts> read_signed_facts(std::string_view message);

}  // namespace tonearm
