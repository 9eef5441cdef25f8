#include "catalog/index/posting_list.h"

#include <doctest/doctest.h>

#include "catalog/index/hash.h"
#include "catalog/index/kernels.h"
#include "catalog/index/term_index.h"
#include "fakes.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

std::vector<std::uint32_t> every(std::uint32_t step, std::uint32_t size) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < size; i += step) positions.push_back(i);
  return positions;
}

/// Bytes with the alignment of any array.
struct Aligned {
  explicit Aligned(const std::string& bytes) : words(bytes.size() / 8 + 1), size(bytes.size()) {
    std::memcpy(words.data(), bytes.data(), size);
  }
  Extent view() const { return Extent(raw_bytes(words).substr(0, size)); }
  std::vector<std::uint64_t> words;
  std::size_t size;
};

Layout layout_of(std::uint32_t size) { return {size / 2, size / 2 + size / 4, size, size}; }

/// Tie ranks in descending order of positions.
std::vector<std::uint32_t> tie_ranks(std::uint32_t size) {
  std::vector<std::uint32_t> ranks(size);
  for (std::uint32_t i = 0; i < size; ++i) ranks[i] = size - 1 - i;
  return ranks;
}

}  // namespace

TEST_CASE("posting lists are read as they were written, as lists and as bitmaps") {
  for (const std::uint32_t step : {3U, 31U, 32U, 33U, 500U}) {
    const auto positions = every(step, 1000);
    std::vector<std::uint8_t> impacts;
    impacts.reserve(positions.size());
    for (const auto position : positions) impacts.push_back(static_cast<std::uint8_t>(1 + position % 255));
    const auto count = static_cast<std::uint32_t>(positions.size());
    const auto counts = count_partitions(positions, layout_of(1000));
    const std::uint64_t before = best_size(counts, PostingKind::text, 1000);
    const std::uint64_t begin = (before + 7) / 8 * 8;
    const Aligned bytes(std::string(static_cast<std::size_t>(begin - before), '\0') +
                        encode_posting_list(positions, impacts, layout_of(1000), tie_ranks(1000)));
    const PostingList posting_list = decode_posting_list(bytes.view(), begin, counts, PostingKind::text, 1000);
    for (const PostingParts parts : {PostingParts::best, PostingParts::scores, PostingParts::all}) {
      const FileRange place = posting_list_range(begin, counts, PostingKind::text, 1000, parts);
      const bool has_all = !posting_list.dense || parts == PostingParts::all;
      CHECK(place.offset == (posting_list.dense && parts == PostingParts::scores ? begin : begin - before));
      CHECK((place.offset + place.size == bytes.size) == (has_all || parts == PostingParts::scores));
    }
    const FileRange members = posting_list_range(begin, counts, PostingKind::text, 1000, PostingParts::members);
    CHECK(members.offset == begin);
    CHECK(members.size == (posting_list.dense ? posting_list.bits.size_bytes() : positions.size() * 4));
    CHECK(posting_list.count == count);
    CHECK(posting_list.dense == is_dense(count, 1000));
    CHECK(std::equal(impacts.begin(), impacts.end(), posting_list.impacts.begin(), posting_list.impacts.end()));
    if (!posting_list.dense) {
      CHECK(
          std::equal(positions.begin(), positions.end(), posting_list.positions.begin(), posting_list.positions.end()));
      const DenseCopy copy(posting_list, 1000);
      CHECK(copy.posting_list().dense);
      CHECK(has_bit(copy.posting_list().bits.data(), positions.back()));
      CHECK(copy.posting_list().block_max.size() == words_for(1000));
    } else {
      for (const auto position : positions) CHECK(has_bit(posting_list.bits.data(), position));
      CHECK(posting_list.ranks[posting_list.ranks.size() - 1] <= count);
      for (const auto& best : posting_list.best) {
        for (std::size_t i = 1; i < best.size(); ++i) {
          const auto impact = [&](std::size_t at) { return 1 + best[at] % 255; };
          CHECK((impact(i - 1) > impact(i) || (impact(i - 1) == impact(i) && best[i - 1] > best[i])));
        }
      }
    }
  }
}

TEST_CASE("damaged posting lists are rejected and never read past their section") {
  for (const std::uint32_t step : {3U, 500U}) {
    const auto positions = every(step, 1000);
    const std::vector<std::uint8_t> impacts(positions.size(), 9);
    const auto count = static_cast<std::uint32_t>(positions.size());
    const std::uint64_t best = best_size({count, 0, 0}, PostingKind::text, 1000);
    const std::uint64_t begin = (best + 7) / 8 * 8;
    const std::string whole = std::string(static_cast<std::size_t>(begin - best), '\0') +
                              encode_posting_list(positions, impacts, layout_of(1000), tie_ranks(1000));
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
      const Aligned cut(whole.substr(0, size));
      CHECK_THROWS_AS(decode_posting_list(cut.view(), begin, {count, 0, 0}, PostingKind::text, 1000), Failure);
    }
    if (best > 0) {
      CHECK_THROWS_AS(decode_posting_list(Aligned(whole).view(), begin - 16, {count, 0, 0}, PostingKind::text, 1000),
                      Failure);
    }
    const Aligned bytes(whole);
    CHECK_THROWS_AS(decode_posting_list(bytes.view(), 2, {count, 0, 0}, PostingKind::text, 1000), Failure);
    CHECK_THROWS_AS(decode_posting_list(bytes.view(), ~std::uint64_t{0}, {count, 0, 0}, PostingKind::text, 1000),
                    Failure);
    CHECK_THROWS_AS(decode_posting_list(bytes.view(), 0, {0, 0, 0}, PostingKind::text, 1000), Failure);
    CHECK_THROWS_AS(decode_posting_list(bytes.view(), 0, {900, 101, 0}, PostingKind::text, 1000), Failure);
  }
}

TEST_CASE("slots find what was added, and nothing else") {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(100);
  for (std::uint32_t i = 0; i < 100; ++i) hashes.push_back(hash64("key " + std::to_string(i % 90)));
  const auto slots = make_slots(hashes);
  for (std::uint32_t i = 0; i < 100; ++i) {
    CHECK(find_slot(slots, hashes[i], [&](std::uint32_t number) { return number == i; }) == i);
  }
  CHECK_FALSE(find_slot(slots, hash64("another"), [](std::uint32_t) { return false; }));
  CHECK_THROWS_AS(find_slot(std::vector<std::uint32_t>{1, 1}, 0, [](std::uint32_t) { return false; }), Failure);
  CHECK_THROWS_AS(find_slot(std::vector<std::uint32_t>{0, 0, 0}, 0, [](std::uint32_t) { return true; }), Failure);
}

TEST_CASE("every kernel that this processor supports gives the same results") {
  test::SeededRandom random(5);
  const auto kernels = usable_kernels();
  for (const std::size_t words : {1U, 2U, 31U, 511U, 512U, 513U, 2000U}) {
    std::vector<std::vector<std::uint64_t>> operands(3, std::vector<std::uint64_t>(words));
    for (auto& operand : operands) {
      for (auto& word : operand) word = random.below(~std::uint64_t{0}) | random.below(~std::uint64_t{0});
    }
    const std::array<const std::uint64_t*, 3> pointers{operands[0].data(), operands[1].data(), operands[2].data()};
    std::vector<std::uint64_t> expected(words);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < words; ++i) {
      expected[i] = operands[0][i] & operands[1][i] & operands[2][i];
      bits += static_cast<std::uint64_t>(std::popcount(expected[i]));
    }
    std::vector<std::uint8_t> values(words);
    for (auto& value : values) value = static_cast<std::uint8_t>(random.below(200));
    for (const Kernels* kernel : kernels) {
      CAPTURE(kernel->name);
      std::vector<std::uint64_t> out(words);
      CHECK(kernel->intersect(out.data(), pointers.data(), pointers.size(), words) == bits);
      CHECK(out == expected);
      CHECK(kernel->count(expected.data(), words) == bits);
      kernel->unite(out.data(), operands[0].data(), words);
      CHECK(out == operands[0]);
      std::vector<std::uint32_t> sums(words, 7);
      kernel->add_weighted(sums.data(), values.data(), 1'000'003, words);
      for (std::size_t i = 0; i < words; ++i) CHECK(sums[i] == 7 + 1'000'003U * values[i]);
      // Of the first operand as a term, to the matches of each operand.
      std::vector<std::uint32_t> ranks(words);
      std::uint32_t members = 0;
      for (std::size_t i = 0; i < words; ++i) {
        ranks[i] = members;
        members += static_cast<std::uint32_t>(std::popcount(operands[0][i]));
      }
      std::vector<std::uint8_t> impacts(members);
      for (std::size_t i = 0; i < members; ++i) impacts[i] = static_cast<std::uint8_t>(1 + i % 255);
      const TermImpacts term{operands[0].data(), ranks.data(), impacts.data(), impacts.size()};
      for (const auto& matches : operands) {
        std::vector<std::uint32_t> wanted;
        for (std::size_t i = 0; i < words * 64; ++i) {
          if (!has_bit(matches.data(), static_cast<std::uint32_t>(i))) continue;
          const std::uint64_t below = operands[0][i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
          const std::size_t member = ranks[i / 64] + static_cast<std::size_t>(std::popcount(below));
          wanted.push_back(9 + (has_bit(operands[0].data(), static_cast<std::uint32_t>(i)) ? 3U * impacts[member] : 0));
        }
        std::vector<std::uint32_t> added(wanted.size(), 9);
        CHECK(kernel->add_impacts(added.data(), matches.data(), term, 3, words));
        CHECK(added == wanted);
      }
      const std::vector<std::uint32_t> far_ranks(words, ~std::uint32_t{63});  // with 64 members, it wraps in 32 bits
      const TermImpacts far_term{operands[0].data(), far_ranks.data(), impacts.data(), impacts.size()};
      CHECK_FALSE(kernel->add_impacts(sums.data(), std::vector<std::uint64_t>(words, 1).data(), far_term, 3, words));
      const TermImpacts short_term{operands[0].data(), ranks.data(), impacts.data(), impacts.size() - 1};
      CHECK_FALSE(kernel->add_impacts(sums.data(), std::vector<std::uint64_t>(words, 1).data(), short_term, 3, words));
      for (const std::uint8_t least : {std::uint8_t{1}, std::uint8_t{198}, std::uint8_t{200}}) {
        const auto found =
            std::find_if(values.begin(), values.end(), [&](std::uint8_t value) { return value >= least; });
        CHECK(kernel->next_at_least(values.data(), 0, words, least) ==
              static_cast<std::size_t>(found - values.begin()));
      }
    }
  }
}
