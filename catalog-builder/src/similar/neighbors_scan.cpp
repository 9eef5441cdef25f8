#include "similar/neighbors_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace tonearm::builder {
namespace {

constexpr int kBias = 128;

/// Loops over 16-bit integers that compilers vectorize.
[[gnu::always_inline]] inline void compare_wide(const Tile& tile, const Query* queries, Closenesses& out) {
  std::int16_t sums[kQueries][kLanes] = {};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    for (std::size_t query = 0; query < kQueries; ++query) {
      const std::int16_t value = queries[query].wide[d];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[query][lane] = static_cast<std::int16_t>(sums[query][lane] + value * tile.wide[d][lane]);
      }
    }
  }
  for (std::size_t query = 0; query < kQueries; ++query) {
    std::int16_t greatest = kMinCloseness;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto value = static_cast<std::int16_t>(sums[query][lane] + tile.bases[lane]);
      out.values[query][lane] = value;
      greatest = std::max(greatest, value);
    }
    out.greatest[query] = greatest;
  }
}

void widen(Tile& tile) {
  for (std::size_t quad = 0; quad < tile.quads.size(); ++quad) {
    std::array<std::int16_t, kDimensions> wide;
    std::copy(tile.quads[quad].begin(), tile.quads[quad].end(), wide.begin());
    for (std::size_t i = 0; i < kQuad; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) tile.wide[quad * kQuad + i][lane] = wide[lane * kQuad + i];
    }
  }
}

void compare_baseline(const Tile& tile, const Query* queries, Closenesses& out) { compare_wide(tile, queries, out); }

#ifdef __x86_64__
[[gnu::target("avx2")]] void compare_v3(const Tile& tile, const Query* queries, Closenesses& out) {
  compare_wide(tile, queries, out);
}

[[gnu::target("avx512f,avx512bw,avx512vl")]] void compare_v4(const Tile& tile, const Query* queries, Closenesses& out) {
  compare_wide(tile, queries, out);
}

/// The instruction multiplies unsigned bytes by signed ones, so queries are biased: what the bias adds is subtracted.
void subtract_bias(Tile& tile) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    int sum = 0;
    for (const Vector& quad : tile.quads) {
      for (std::size_t i = 0; i < kQuad; ++i) sum += quad[lane * kQuad + i];
    }
    tile.biased_bases[lane] = tile.bases[lane] - kBias * sum;
  }
}

/// Each instruction multiplies four bytes of 16 lanes and adds the products: four times as many as with 16-bit
/// integers.
[[gnu::target("avx512f,avx512bw,avx512vl,avx512vnni")]] void compare_quads(const Tile& tile, const Query* queries,
                                                                           Closenesses& out) {
  using Sums [[gnu::vector_size(64)]] = std::int32_t;
  constexpr std::size_t kHalf = kLanes / 2;
  __m512i low[kQueries];
  __m512i high[kQueries];
  for (std::size_t query = 0; query < kQueries; ++query) {
    low[query] = _mm512_loadu_si512(tile.biased_bases.data());
    high[query] = _mm512_loadu_si512(tile.biased_bases.data() + kHalf);
  }
  for (std::size_t quad = 0; quad < tile.quads.size(); ++quad) {
    const __m512i of_low = _mm512_loadu_si512(tile.quads[quad].data());
    const __m512i of_high = _mm512_loadu_si512(tile.quads[quad].data() + kHalf * kQuad);
    for (std::size_t query = 0; query < kQueries; ++query) {
      std::int32_t four = 0;
      std::memcpy(&four, queries[query].biased.data() + quad * kQuad, kQuad);
      const auto values = reinterpret_cast<__m512i>(Sums{} + four);
      low[query] = _mm512_dpbusd_epi32(low[query], values, of_low);
      high[query] = _mm512_dpbusd_epi32(high[query], values, of_high);
    }
  }
  for (std::size_t query = 0; query < kQueries; ++query) {
    std::array<std::int32_t, kLanes> sums;
    _mm512_storeu_si512(sums.data(), low[query]);
    _mm512_storeu_si512(sums.data() + kHalf, high[query]);
    std::int16_t greatest = kMinCloseness;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto value = static_cast<std::int16_t>(sums[lane]);
      out.values[query][lane] = value;
      greatest = std::max(greatest, value);
    }
    out.greatest[query] = greatest;
  }
}
#endif

}  // namespace

std::vector<Scan> usable_scans() {
  std::vector<Scan> scans{{widen, compare_baseline}};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") != 0) scans.push_back({widen, compare_v3});
  const bool is_v4 = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  if (is_v4) scans.push_back({widen, compare_v4});
  if (is_v4 && __builtin_cpu_supports("avx512vnni") != 0) scans.push_back({subtract_bias, compare_quads});
#endif
  return scans;
}

std::int16_t half_square(const Vector& vector) {
  int sum = 0;
  for (const auto value : vector) sum += value * value;
  return static_cast<std::int16_t>((sum + 1) / 2);
}

std::int16_t closeness(const Vector& from, const Vector& to) {
  int product = 0;
  for (std::size_t d = 0; d < kDimensions; ++d) product += from[d] * to[d];
  return static_cast<std::int16_t>(product - half_square(to));
}

Query query_of(const Vector& vector) {
  Query query;
  std::copy(vector.begin(), vector.end(), query.wide.begin());
  for (std::size_t d = 0; d < kDimensions; ++d) query.biased[d] = static_cast<std::uint8_t>(query.wide[d] + kBias);
  return query;
}

void transpose(std::span<Vector, kLanes> vectors) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t other = 0; other < lane; ++other) {
      for (std::size_t i = 0; i < kQuad; ++i) {
        std::swap(vectors[lane][other * kQuad + i], vectors[other][lane * kQuad + i]);
      }
    }
  }
}

Vector vector_of(std::span<const Vector, kLanes> transposed, std::size_t lane) {
  Vector vector;
  for (std::size_t d = 0; d < kDimensions; ++d) vector[d] = transposed[d / kQuad][lane * kQuad + d % kQuad];
  return vector;
}

void fill(Tile& tile, std::span<const Vector> vectors) {
  tile.quads = {};
  std::copy(vectors.begin(), vectors.end(), tile.quads.begin());
  transpose(tile.quads);
  tile.bases.fill(kMinCloseness);
  for (std::size_t lane = 0; lane < vectors.size(); ++lane) {
    tile.bases[lane] = static_cast<std::int16_t>(-half_square(vectors[lane]));
  }
}

void fill_transposed(Tile& tile, std::span<const Vector, kLanes> transposed) {
  std::copy(transposed.begin(), transposed.end(), tile.quads.begin());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    int squares = 0;
    for (const Vector& quad : tile.quads) {
      for (std::size_t i = 0; i < kQuad; ++i) squares += quad[lane * kQuad + i] * quad[lane * kQuad + i];
    }
    tile.bases[lane] = static_cast<std::int16_t>(-((squares + 1) / 2));
  }
}

}  // namespace tonearm::builder
