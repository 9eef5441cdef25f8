#include "catalog/index/kernels.h"

#include <array>

namespace tonearm::catalog {

namespace baseline {
extern const Kernels kKernels;
}
#ifdef __x86_64__
namespace v3 {
extern const Kernels kKernels;
}
namespace v4 {
extern const Kernels kKernels;
}
#endif

std::span<const Kernels* const> usable_kernels() {
#ifdef __x86_64__
  static constexpr std::array<const Kernels*, 3> kAll{&baseline::kKernels, &v3::kKernels, &v4::kKernels};
  const bool has_v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                      __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                      __builtin_cpu_supports("popcnt") != 0;
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512vl") != 0;
  return std::span(kAll).first(has_v4 ? 3 : has_v3 ? 2 : 1);
#else
  static constexpr std::array<const Kernels*, 1> kAll{&baseline::kKernels};
  return kAll;
#endif
}

}  // namespace tonearm::catalog
