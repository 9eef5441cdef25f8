#pragma once
// Computes distances of int8 vectors in batches, with the widest instructions of the processor. All processors give the
// same numbers. Pure, thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "similar/neighbor_collector.h"

namespace tonearm::builder {

inline constexpr std::size_t kDimensions = 128;
inline constexpr std::size_t kLanes = 32;
inline constexpr std::size_t kQueries = 4;

/// Its length is at most 133, so that products and half squares stay within 16 bits.
using Vector = std::array<std::int8_t, kDimensions>;
/// Half the square of the vector's length, rounded up.
std::int16_t half_square(const Vector& vector);

/// The dot product minus `half_square(to)`. Except for rounding, half the square of the distance is `half_square(from)`
/// minus this: the greater, the closer.
std::int16_t closeness(const Vector& from, const Vector& to);

/// A vector that is compared with tiles.
struct Query {
  std::array<std::int16_t, kDimensions> wide{};
  std::array<std::uint8_t, kDimensions> biased{};  // plus 128
};
Query query_of(const Vector& vector);

inline constexpr std::size_t kQuad = 4;
static_assert(kLanes * kQuad == kDimensions);
/// Transposes the vectors in quads of values: the first vector becomes the first quad of all, and so on. Transposing
/// twice restores the vectors.
void transpose(std::span<Vector, kLanes> vectors);
/// Returns one of the vectors that were transposed.
Vector vector_of(std::span<const Vector, kLanes> transposed, std::size_t lane);

/// Up to 32 vectors to compare with.
struct Tile {
  std::array<Vector, kLanes> quads{};        // the transposed vectors
  std::array<std::int16_t, kLanes> bases{};  // the negated half squares; kMinCloseness in an empty lane
  /// Filled by scans that read it.
  std::array<std::array<std::int16_t, kLanes>, kDimensions> wide{};  // the first values of all, the second of all, ...
  std::array<std::int32_t, kLanes> biased_bases{};
};

/// REQUIRES: vectors.size() <= kLanes.
void fill(Tile& tile, std::span<const Vector> vectors);
/// Fills a tile with vectors that were transposed, much faster than with the vectors themselves.
void fill_transposed(Tile& tile, std::span<const Vector, kLanes> transposed);

struct Closenesses {
  std::array<std::array<std::int16_t, kLanes>, kQueries> values;
  std::array<std::int16_t, kQueries> greatest;  // for each query
};

/// A way to compare.
struct Scan {
  /// Completes a tile that was filled.
  void (*prepare)(Tile& tile) = nullptr;
  /// Writes the closeness of each of `kQueries` vectors to each vector of the tile.
  void (*compare)(const Tile& tile, const Query* queries, Closenesses& out) = nullptr;
};

/// The scans that this processor supports, the fastest last.
std::vector<Scan> usable_scans();

}  // namespace tonearm::builder
