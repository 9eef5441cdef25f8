#pragma once
// The hashes of the file format: of ids, terms and phrases. Pure, thread-safe.

#include <cstdint>
#include <string_view>

namespace tonearm::catalog {

/// The finalizer of SplitMix64: a bijection of 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// FNV-1a of the bytes, then mixed. The tracks of a partition are numbered by this hash of their ids (ties by id),
/// which is the default shuffle.
constexpr std::uint64_t hash64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return mix64(hash);
}

}  // namespace tonearm::catalog
