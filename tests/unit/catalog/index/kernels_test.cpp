#include "catalog/index/kernels.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "fakes.h"

using namespace tonearm;
using namespace tonearm::catalog;
using tonearm::test::SeededRandom;

TEST_CASE("every kernel counts in planes as counting bit by bit does, for any length") {
  SeededRandom random(69);
  for (const Kernels* kernels : usable_kernels()) {
    for (const std::size_t words : {0U, 1U, 7U, 64U, 513U, 1'100U}) {
      CAPTURE(std::string(kernels->name));
      CAPTURE(words);
      const std::size_t operand_count = random.below(16);
      std::vector<std::vector<std::uint64_t>> operands(operand_count + 1);  // the last one is `within`
      for (auto& operand : operands) {
        for (std::size_t i = 0; i < words; ++i) operand.push_back(random.below(~std::uint64_t{0}));
      }
      std::vector<const std::uint64_t*> counted;
      for (std::size_t i = 0; i < operand_count; ++i) counted.push_back(operands[i].data());
      std::array<std::vector<std::uint64_t>, Kernels::kPlanes> planes;
      std::array<std::uint64_t*, Kernels::kPlanes> to{};
      for (std::size_t i = 0; i < planes.size(); ++i) {
        planes.at(i).assign(words, 0x5555);  // any content
        to.at(i) = planes.at(i).data();
      }
      kernels->count_up(to.data(), counted.data(), counted.size(), operands.back().data(), words);
      if (operand_count > 0) {
        std::vector<std::uint64_t> both(words);
        const std::array<const std::uint64_t*, 2> pair{operands[0].data(), operands.back().data()};
        CHECK(kernels->count_both(pair[0], pair[1], words) == kernels->intersect(both.data(), pair.data(), 2, words));
      }
      const std::array<const std::uint64_t*, Kernels::kPlanes> from{to[0], to[1], to[2], to[3]};
      for (std::uint32_t value = 1; value < 16; ++value) {
        std::vector<std::uint64_t> expected(words);
        std::uint64_t members = 0;
        for (std::size_t bit = 0; bit < words * 64; ++bit) {
          const auto has = [&](const std::vector<std::uint64_t>& bits) {
            return (bits[bit / 64] >> bit % 64 & 1U) != 0;
          };
          std::uint32_t count = 0;
          for (std::size_t i = 0; i < operand_count; ++i) count += has(operands[i]) ? 1U : 0U;
          if (count != value || !has(operands.back())) continue;
          expected[bit / 64] |= std::uint64_t{1} << bit % 64;
          ++members;
        }
        std::vector<std::uint64_t> equal(words);
        CHECK(kernels->equal(equal.data(), from.data(), value, words) == members);
        CHECK(equal == expected);
      }
    }
  }
}
