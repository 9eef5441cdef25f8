#pragma once
// Distances of int8 vectors, many at a time: plain loops over 16-bit integers that compilers turn into the widest
// instructions of the processor. All processors give the same numbers. Pure, thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "similar/neighbors_best.h"

namespace tonearm::builder {

inline constexpr std::size_t kDimensions = 128;
inline constexpr std::size_t kLanes = 32;
inline constexpr std::size_t kQueries = 4;

/// Its length is at most 133, so that products and half squares stay within 16 bits.
using Vector = std::array<std::int8_t, kDimensions>;
using WideVector = std::array<std::int16_t, kDimensions>;

/// Half the square of the vector's length, rounded up.
std::int16_t half_square(const Vector& vector);

/// The product less `half_square(to)`. Half the square of the distance is, but for rounding, `half_square(from)` less
/// this: the greater, the closer.
std::int16_t closeness(const Vector& from, const Vector& to);

WideVector widened(const Vector& vector);

/// Up to 32 vectors side by side: the first values of all, the second of all, ...
struct Tile {
  std::array<std::array<std::int16_t, kLanes>, kDimensions> values;
  std::array<std::int16_t, kLanes> bases;  // minus their half squares; kNowhere in an empty lane
};

/// REQUIRES: vectors.size() <= kLanes.
Tile tile_of(std::span<const Vector* const> vectors);

struct Closenesses {
  std::array<std::array<std::int16_t, kLanes>, kQueries> values;
  std::array<std::int16_t, kQueries> greatest;  // of each query's
};

/// Fills `out` with the closeness of each of `kQueries` vectors to each of the tile.
using Scan = void (*)(const Tile& tile, const WideVector* queries, Closenesses& out);

/// Those that this processor can run, the fastest last.
std::vector<Scan> usable_scans();

}  // namespace tonearm::builder
