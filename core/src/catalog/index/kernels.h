#pragma once
// The loops over whole bitmaps, compiled for several processors from one plain source. All give the same results.
// Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tonearm::catalog {

struct Kernels {
  static constexpr std::size_t kPlanes = 4;

  std::string_view name;
  /// Writes the AND of `count` bitmaps of `words` words; returns how many bits are set. REQUIRES: count > 0.
  std::uint64_t (*intersect)(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t count,
                             std::size_t words);
  /// Adds the bits of `operand`.
  void (*unite)(std::uint64_t* out, const std::uint64_t* operand, std::size_t words);
  std::uint64_t (*count)(const std::uint64_t* operand, std::size_t words);
  /// How many bits both have.
  std::uint64_t (*count_both)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
  /// Bit by bit, counts how many of the operands have it where `within` has it, and 0 elsewhere: plane i is bit i of
  /// the counts. REQUIRES: fewer than 2^kPlanes operands.
  void (*count_up)(std::uint64_t* const* planes, const std::uint64_t* const* operands, std::size_t count,
                   const std::uint64_t* within, std::size_t words);
  /// Writes where such counts are `value`; returns how many bits are set. REQUIRES: 0 < value < 2^kPlanes.
  std::uint64_t (*equal)(std::uint64_t* out, const std::uint64_t* const* planes, std::uint32_t value,
                         std::size_t words);
  /// The first index from `from` on whose value is at least `least`; `end` where there is none.
  std::size_t (*next_at_least)(const std::uint8_t* values, std::size_t from, std::size_t end, std::uint8_t least);
  /// Adds weight * value to each of the sums.
  void (*add_weighted)(std::uint32_t* sums, const std::uint8_t* values, std::uint32_t weight, std::size_t count);
};

/// Those that this processor can run, the fastest last.
std::span<const Kernels* const> usable_kernels();

}  // namespace tonearm::catalog
