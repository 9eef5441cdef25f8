#pragma once
// The loops over whole bitmaps, compiled for several processors from one source. All give the same results. Pure,
// thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tonearm::catalog {

struct Kernels {
  static constexpr std::size_t kPlanes = 4;

  std::string_view name;
  /// Writes the AND of `count` bitmaps of `words` bitmap words; returns the number of set bits. REQUIRES: count > 0.
  std::uint64_t (*intersect)(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t count,
                             std::size_t words);
  /// ORs the bits of `operand` into `out`.
  void (*unite)(std::uint64_t* out, const std::uint64_t* operand, std::size_t words);
  std::uint64_t (*count)(const std::uint64_t* operand, std::size_t words);
  /// Returns the number of bits that are set in both.
  std::uint64_t (*count_both)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
  /// Counts, for each bit, the operands that have it set. Counts are 0 where `within` is not set. Plane i contains bit
  /// i of the counts. REQUIRES: fewer than 2^kPlanes operands.
  void (*count_up)(std::uint64_t* const* planes, const std::uint64_t* const* operands, std::size_t count,
                   const std::uint64_t* within, std::size_t words);
  /// Writes a bitmap of the counts that equal `value`; returns the number of set bits. REQUIRES: 0 < value < 2^kPlanes.
  std::uint64_t (*equal)(std::uint64_t* out, const std::uint64_t* const* planes, std::uint32_t value,
                         std::size_t words);
  /// Returns the first index from `from` whose value is at least `least`, or `end`.
  std::size_t (*next_at_least)(const std::uint8_t* values, std::size_t from, std::size_t end, std::uint8_t least);
  /// Adds weight * value to each of the sums.
  void (*add_weighted)(std::uint32_t* sums, const std::uint8_t* values, std::uint32_t weight, std::size_t count);
};

/// Returns the kernels that this processor supports, the fastest last.
std::span<const Kernels* const> usable_kernels();

}  // namespace tonearm::catalog
