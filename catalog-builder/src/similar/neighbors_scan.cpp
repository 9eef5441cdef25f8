#include "similar/neighbors_scan.h"

#include <algorithm>
#include <utility>

namespace tonearm::builder {
namespace {

[[gnu::always_inline]] inline void scan_portable(const Tile& tile, const WideVector* queries, Closenesses& out) {
  std::int16_t sums[kQueries][kLanes] = {};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    for (std::size_t query = 0; query < kQueries; ++query) {
      const std::int16_t value = queries[query][d];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[query][lane] = static_cast<std::int16_t>(sums[query][lane] + value * tile.values[d][lane]);
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

void scan_baseline(const Tile& tile, const WideVector* queries, Closenesses& out) { scan_portable(tile, queries, out); }

#ifdef __x86_64__
[[gnu::target("avx2")]] void scan_v3(const Tile& tile, const WideVector* queries, Closenesses& out) {
  scan_portable(tile, queries, out);
}

[[gnu::target("avx512f,avx512bw,avx512vl")]] void scan_v4(const Tile& tile, const WideVector* queries,
                                                          Closenesses& out) {
  scan_portable(tile, queries, out);
}
#endif

}  // namespace

std::vector<Scan> usable_scans() {
  std::vector<Scan> scans{scan_baseline};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") != 0) scans.push_back(scan_v3);
  if (__builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0) scans.push_back(scan_v4);
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

WideVector widened(const Vector& vector) {
  WideVector result;
  std::copy(vector.begin(), vector.end(), result.begin());
  return result;
}

void fill(Tile& tile, std::span<const Vector> vectors) {
  tile = {};
  tile.bases.fill(kMinCloseness);
  for (std::size_t lane = 0; lane < vectors.size(); ++lane) {
    const auto wide = widened(vectors[lane]);
    for (std::size_t d = 0; d < kDimensions; ++d) tile.values[d][lane] = wide[d];
    tile.bases[lane] = static_cast<std::int16_t>(-half_square(vectors[lane]));
  }
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

void fill_transposed(Tile& tile, std::span<const Vector, kLanes> transposed) {
  std::array<std::int16_t, kLanes> squares{};
  for (std::size_t quad = 0; quad < transposed.size(); ++quad) {
    const auto wide = widened(transposed[quad]);
    for (std::size_t i = 0; i < kQuad; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::int16_t value = wide[lane * kQuad + i];
        tile.values[quad * kQuad + i][lane] = value;
        squares[lane] = static_cast<std::int16_t>(squares[lane] + value * value);
      }
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    tile.bases[lane] = static_cast<std::int16_t>(-((squares[lane] + 1) / 2));
  }
}

}  // namespace tonearm::builder
