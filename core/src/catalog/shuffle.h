#pragma once
// The fixed shuffles (C4.5, C4.6): integers made from ids and seeds. Pure, thread-safe.

#include <cstdint>
#include <string_view>

namespace tonearm::catalog {

/// The finalizer of SplitMix64: a bijection of 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// FNV-1a of the bytes, then mixed. Tracks of one group are numbered in the order of this hash of their ids
/// (ties by id): that numbering is the default shuffle.
constexpr std::uint64_t hash64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return mix64(hash);
}

/// What a seeded shuffle sorts by: for one seed different for every position.
constexpr std::uint64_t seeded_key(std::uint64_t seed_hash, std::uint32_t position) {
  return mix64(seed_hash + (position + 1ULL) * 0x9e3779b97f4a7c15U);
}

}  // namespace tonearm::catalog
