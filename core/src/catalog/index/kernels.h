#pragma once
// The loops over whole bitmaps, compiled for several processors from one source. All give the same results. Pure,
// thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tonearm::catalog {

/// What scoring reads of a term's bitmap (PostingList), from some bitmap word on.
struct TermImpacts {
  const std::uint64_t* members = nullptr;
  const std::uint32_t* ranks = nullptr;   // the number of members before each bitmap word, in the whole bitmap
  const std::uint8_t* impacts = nullptr;  // of all members
  std::size_t impact_count = 0;
};

struct Kernels {
  /// The most operands of `tally` and `select`: fewer than 2^kPlanes.
  static constexpr std::size_t kOperandsMax = 16;
  static constexpr std::size_t kPlanes = 5;

  std::string_view name;
  /// Writes the AND of `count` bitmaps of `words` bitmap words; returns the number of set bits. REQUIRES: count > 0.
  std::uint64_t (*intersect)(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t count,
                             std::size_t words);
  /// ORs the bits of `operand` into `out`.
  void (*unite)(std::uint64_t* out, const std::uint64_t* operand, std::size_t words);
  std::uint64_t (*count)(const std::uint64_t* operand, std::size_t words);
  /// Returns the number of bits that are set in both.
  std::uint64_t (*count_both)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
  /// For each bit of `within`, counts the operands that have it set, and adds 1 to `tallies` at that number. Does not
  /// count bits that no operand has. REQUIRES: 0 < count <= kOperandsMax; count + 1 tallies.
  void (*tally)(std::uint64_t* tallies, const std::uint64_t* const* operands, std::size_t count,
                const std::uint64_t* within, std::size_t words);
  /// Writes the bits of `within` that exactly `value` operands have set. REQUIRES: 0 < count <= kOperandsMax;
  /// 0 < value <= count.
  void (*select)(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t count, std::size_t value,
                 const std::uint64_t* within, std::size_t words);
  /// Returns the first index from `from` whose value is at least `least`, or `end`.
  std::size_t (*next_at_least)(const std::uint8_t* values, std::size_t from, std::size_t end, std::uint8_t least);
  /// Adds weight * value to each of the sums.
  void (*add_weighted)(std::uint32_t* sums, const std::uint8_t* values, std::uint32_t weight, std::size_t count);
  /// Adds weight * impact of a term to the sum of each bit of `matches` that is a member; `sums` has one for each bit,
  /// in their order. Returns false if there are too few impacts.
  bool (*add_impacts)(std::uint32_t* sums, const std::uint64_t* matches, const TermImpacts& term, std::uint32_t weight,
                      std::size_t words);
};

/// Returns the kernels that this processor supports, the fastest last.
std::span<const Kernels* const> usable_kernels();

}  // namespace tonearm::catalog
