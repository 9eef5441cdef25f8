// The kernels, compiled once for each processor level with its own flags: TONEARM_KERNELS is the name of the namespace,
// TONEARM_KERNELS_NAME that of the processor level (core/CMakeLists.txt). Shared inline functions are forbidden here:
// the linker would keep one level's code for all processors.

#include "catalog/index/kernels.h"

namespace tonearm::catalog::TONEARM_KERNELS {
namespace {

// The number of bitmap words that fit into the first-level cache beside their operands.
constexpr std::size_t kStep = 512;
constexpr std::size_t kLanes = 32;

std::uint64_t count(const std::uint64_t* operand, std::size_t words) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < words; ++i) bits += static_cast<std::uint64_t>(__builtin_popcountll(operand[i]));
  return bits;
}

std::uint64_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < words; ++i) bits += static_cast<std::uint64_t>(__builtin_popcountll(a[i] & b[i]));
  return bits;
}

std::uint64_t intersect(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t operand_count,
                        std::size_t words) {
  std::uint64_t bits = 0;
  for (std::size_t begin = 0; begin < words; begin += kStep) {
    const std::size_t length = words - begin < kStep ? words - begin : kStep;
    std::uint64_t* to = out + begin;
    const std::uint64_t* from = operands[0] + begin;
    for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
    for (std::size_t operand = 1; operand < operand_count; ++operand) {
      from = operands[operand] + begin;
      for (std::size_t i = 0; i < length; ++i) to[i] &= from[i];
    }
    bits += count(to, length);
  }
  return bits;
}

void unite(std::uint64_t* out, const std::uint64_t* operand, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) out[i] |= operand[i];
}

/// The number of operands that have each bit of a step, stored bit by bit: plane i contains bit i of the numbers.
struct Planes {
  std::uint64_t bits[Kernels::kPlanes][kStep];
  std::size_t used = 1;  // the others are zero and not written
};

/// Adds a bit to each number; the carry of a plane is added to the next. Replaces `carry` by what remains.
void add_bits(std::uint64_t* __restrict plane, std::uint64_t* __restrict carry, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t next = plane[i] & carry[i];
    plane[i] ^= carry[i];
    carry[i] = next;
  }
}

void mask(std::uint64_t* __restrict bits, const std::uint64_t* __restrict within, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) bits[i] &= within[i];
}

/// Counts the operands for the bitmap words from `begin` on, at most kStep. Numbers are 0 where `within` is not set.
void count_up(Planes& planes, const std::uint64_t* const* operands, std::size_t operand_count,
              const std::uint64_t* within, std::size_t begin, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) planes.bits[0][i] = operands[0][begin + i];
  planes.used = 1;
  std::uint64_t carry[kStep];
  for (std::size_t operand = 1; operand < operand_count; ++operand) {
    const std::uint64_t* from = operands[operand] + begin;
    for (std::size_t i = 0; i < words; ++i) carry[i] = from[i];
    // The number after this operand is at most operand + 1.
    for (std::size_t plane = 0; (operand + 1) >> plane != 0; ++plane) {
      if (plane == planes.used) {
        for (std::size_t i = 0; i < words; ++i) planes.bits[plane][i] = carry[i];
        ++planes.used;
      } else {
        add_bits(planes.bits[plane], carry, words);
      }
    }
  }
  for (std::size_t plane = 0; plane < planes.used; ++plane) mask(planes.bits[plane], within + begin, words);
}

/// Writes the bits whose number equals `value`. REQUIRES: 0 < value.
void equal(std::uint64_t* __restrict out, const Planes& planes, std::size_t value, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) out[i] = ~std::uint64_t{0};
  for (std::size_t plane = 0; plane < planes.used; ++plane) {
    const std::uint64_t* __restrict bits = planes.bits[plane];
    // A plane whose bit must be 0 is inverted.
    const std::uint64_t inverted = (value >> plane & 1U) != 0 ? 0 : ~std::uint64_t{0};
    for (std::size_t i = 0; i < words; ++i) out[i] &= bits[i] ^ inverted;
  }
}

void tally(std::uint64_t* tallies, const std::uint64_t* const* operands, std::size_t operand_count,
           const std::uint64_t* within, std::size_t words) {
  Planes planes;
  std::uint64_t found[kStep];
  for (std::size_t begin = 0; begin < words; begin += kStep) {
    const std::size_t length = words - begin < kStep ? words - begin : kStep;
    count_up(planes, operands, operand_count, within, begin, length);
    for (std::size_t value = 1; value <= operand_count; ++value) {
      equal(found, planes, value, length);
      tallies[value] += count(found, length);
    }
  }
}

void select(std::uint64_t* out, const std::uint64_t* const* operands, std::size_t operand_count, std::size_t value,
            const std::uint64_t* within, std::size_t words) {
  Planes planes;
  for (std::size_t begin = 0; begin < words; begin += kStep) {
    const std::size_t length = words - begin < kStep ? words - begin : kStep;
    count_up(planes, operands, operand_count, within, begin, length);
    equal(out + begin, planes, value, length);
  }
}

std::size_t next_at_least(const std::uint8_t* values, std::size_t from, std::size_t end, std::uint8_t least) {
  while (from + kLanes <= end) {
    std::uint8_t any = 0;
    for (std::size_t i = 0; i < kLanes; ++i) any |= static_cast<std::uint8_t>(values[from + i] >= least ? 1 : 0);
    if (any != 0) break;
    from += kLanes;
  }
  while (from < end && values[from] < least) ++from;
  return from;
}

void add_weighted(std::uint32_t* sums, const std::uint8_t* values, std::uint32_t weight, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += weight * values[i];
}

std::size_t popcount(std::uint64_t bits) { return static_cast<std::size_t>(__builtin_popcountll(bits)); }

bool add_impacts(std::uint32_t* sums, const std::uint64_t* matches, const TermImpacts& term, std::uint32_t weight,
                 std::size_t words) {
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t left = matches[word];
    if (left == 0) continue;
    const std::uint64_t members = term.members[word];
    const std::size_t rank = term.ranks[word];
    if (rank > term.impact_count || popcount(members) > term.impact_count - rank) return false;
    const std::uint8_t* impacts = term.impacts + rank;
    // Mostly all matches are members, which saves a test of each.
    if ((left & ~members) == 0) {
      for (; left != 0; left &= left - 1) {
        const std::uint64_t below = (left & (~left + 1)) - 1;
        *sums++ += weight * impacts[popcount(members & below)];
      }
      continue;
    }
    for (; left != 0; left &= left - 1) {
      const std::uint64_t lowest = left & (~left + 1);
      if ((members & lowest) != 0) *sums += weight * impacts[popcount(members & (lowest - 1))];
      ++sums;
    }
  }
  return true;
}

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels{TONEARM_KERNELS_NAME, intersect,    unite,      count, count_both, tally, select,
                       next_at_least,        add_weighted, add_impacts};

}  // namespace tonearm::catalog::TONEARM_KERNELS
