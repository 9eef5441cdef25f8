#pragma once
// Hashes the data from which the lists of similar tracks of a pool are computed. A build keeps lists of an earlier one
// that were computed from the same data (BUILD-25).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/ports.h"

namespace tonearm::builder {

/// Pools with the same digest have the same lists.
struct PoolDigest {
  /// In hex: ids, features, lengths, which tracks share an artist, which lists are given, and the program's method.
  /// Also the terms, if not every pair is compared.
  std::string tracks;
  std::string terms;  // in hex: the terms of each track

  bool operator==(const PoolDigest&) const = default;
};

/// Returns the digest as the manifest of a snapshot contains it.
std::string to_text(const PoolDigest& digest);
/// Reads what `to_text` returned; another text gives a digest that no pool has.
PoolDigest digest_from(std::string_view text);

/// Hashes numbers and texts, in order.
class OrderedHash {
 public:
  explicit OrderedHash(Hashing& hashing) : hashing_(hashing) {}

  void add(std::uint64_t number);
  void add(std::string_view text);
  /// Returns half of the SHA-256, in hex.
  std::string finish();

 private:
  void hash_block();

  Hashing& hashing_;
  std::string block_;  // begins with the hash of all blocks before
};

/// Returns the digest of the terms of tracks, in the order of their pool.
std::string digest_of_terms(std::span<const std::uint8_t> terms, Hashing& hashing);

}  // namespace tonearm::builder
