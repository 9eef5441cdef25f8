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

/// Adds a bit to each count; the carry of a plane is added to the next.
void add_bits(std::uint64_t* __restrict p0, std::uint64_t* __restrict p1, std::uint64_t* __restrict p2,
              std::uint64_t* __restrict p3, const std::uint64_t* __restrict bits, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t carry1 = p0[i] & bits[i];
    p0[i] ^= bits[i];
    const std::uint64_t carry2 = p1[i] & carry1;
    p1[i] ^= carry1;
    const std::uint64_t carry3 = p2[i] & carry2;
    p2[i] ^= carry2;
    p3[i] |= carry3;
  }
}

void count_up(std::uint64_t* const* planes, const std::uint64_t* const* operands, std::size_t operand_count,
              const std::uint64_t* within, std::size_t words) {
  for (std::size_t begin = 0; begin < words; begin += kStep) {
    const std::size_t length = words - begin < kStep ? words - begin : kStep;
    for (std::size_t plane = 0; plane < Kernels::kPlanes; ++plane) {
      for (std::size_t i = begin; i < begin + length; ++i) planes[plane][i] = 0;
    }
    for (std::size_t operand = 0; operand < operand_count; ++operand) {
      add_bits(planes[0] + begin, planes[1] + begin, planes[2] + begin, planes[3] + begin, operands[operand] + begin,
               length);
    }
    for (std::size_t plane = 0; plane < Kernels::kPlanes; ++plane) {
      for (std::size_t i = begin; i < begin + length; ++i) planes[plane][i] &= within[i];
    }
  }
}

std::uint64_t equal(std::uint64_t* out, const std::uint64_t* const* planes, std::uint32_t value, std::size_t words) {
  // A plane whose bit must be 0 is inverted.
  const std::uint64_t inverted0 = (value & 1U) != 0 ? 0 : ~std::uint64_t{0};
  const std::uint64_t inverted1 = (value & 2U) != 0 ? 0 : ~std::uint64_t{0};
  const std::uint64_t inverted2 = (value & 4U) != 0 ? 0 : ~std::uint64_t{0};
  const std::uint64_t inverted3 = (value & 8U) != 0 ? 0 : ~std::uint64_t{0};
  for (std::size_t i = 0; i < words; ++i) {
    out[i] = (planes[0][i] ^ inverted0) & (planes[1][i] ^ inverted1) & (planes[2][i] ^ inverted2) &
             (planes[3][i] ^ inverted3);
  }
  return count(out, words);
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

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels{TONEARM_KERNELS_NAME, intersect,   unite, count, count_both, count_up, equal,
                       next_at_least,        add_weighted};

}  // namespace tonearm::catalog::TONEARM_KERNELS
