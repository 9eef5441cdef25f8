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

TEST_CASE("every kernel tallies and selects as counting bit by bit does, for any length") {
  SeededRandom random(69);
  for (const Kernels* kernels : usable_kernels()) {
    for (const std::size_t words : {0U, 1U, 7U, 64U, 513U, 1'100U}) {
      for (const std::size_t operand_count : {1U, 2U, 3U, 8U, 15U, 16U}) {
        CAPTURE(std::string(kernels->name));
        CAPTURE(words);
        CAPTURE(operand_count);
        std::vector<std::vector<std::uint64_t>> operands(operand_count + 1);  // the last one is `within`
        for (auto& operand : operands) {
          for (std::size_t i = 0; i < words; ++i) operand.push_back(random.below(~std::uint64_t{0}));
        }
        const std::uint64_t* within = operands.back().data();
        std::vector<const std::uint64_t*> counted;
        for (std::size_t i = 0; i < operand_count; ++i) counted.push_back(operands[i].data());
        std::vector<std::uint64_t> both(words);
        const std::array<const std::uint64_t*, 2> pair{counted[0], within};
        CHECK(kernels->count_both(pair[0], pair[1], words) == kernels->intersect(both.data(), pair.data(), 2, words));

        std::vector<std::uint64_t> expected_tallies(operand_count + 1);
        std::vector<std::vector<std::uint64_t>> expected(operand_count + 1, std::vector<std::uint64_t>(words));
        for (std::size_t bit = 0; bit < words * 64; ++bit) {
          const auto has = [&](const std::vector<std::uint64_t>& bits) {
            return (bits[bit / 64] >> bit % 64 & 1U) != 0;
          };
          std::size_t count = 0;
          for (std::size_t i = 0; i < operand_count; ++i) count += has(operands[i]) ? 1U : 0U;
          if (count == 0 || !has(operands.back())) continue;
          expected[count][bit / 64] |= std::uint64_t{1} << bit % 64;
          ++expected_tallies[count];
        }
        std::vector<std::uint64_t> tallies(operand_count + 1);
        kernels->tally(tallies.data(), counted.data(), operand_count, within, words);
        CHECK(tallies == expected_tallies);
        for (std::size_t value = 1; value <= operand_count; ++value) {
          std::vector<std::uint64_t> selected(words, 0x5555);  // any content
          kernels->select(selected.data(), counted.data(), operand_count, value, within, words);
          CHECK(selected == expected[value]);
        }
      }
    }
  }
}
