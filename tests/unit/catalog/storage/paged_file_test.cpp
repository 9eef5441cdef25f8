#include "tonearm/paged_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tonearm/read_plan.h"
#include "tonearm/sql.h"

using namespace tonearm;

namespace {

/// A file whose bytes encode their own offset.
class Numbered final : public BlockSource {
 public:
  explicit Numbered(std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i * 31 + i / kBlockBytes));
  }

  void fetch(std::span<const Request> wanted) override {
    if (fails) throw Failure("out of reach");
    ++rounds;
    if (misses > 0) {
      --misses;
      throw BlocksMissing{};
    }
    for (const auto& [block, into] : wanted) {
      const auto offset = static_cast<std::size_t>(block * kBlockBytes);
      const auto part = std::string_view(bytes).substr(offset, kBlockBytes);
      std::copy(part.begin(), part.end(), into);
      fetched.push_back(block);
    }
  }

  std::string bytes;
  std::vector<std::uint32_t> fetched;
  int rounds = 0;
  int misses = 0;
  bool fails = false;
};

PagedFile file_of(Numbered& source, std::size_t blocks_max = 16) { return {source.bytes.size(), source, blocks_max}; }

}  // namespace

TEST_CASE("a paged file returns the bytes at each offset, across block boundaries and up to its end") {
  Numbered source(40 * kBlockBytes + 1'000);
  const PagedFile file = file_of(source);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{5}, 7 * kBlockBytes - 3, 20 * kBlockBytes}) {
    for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{1'000}, 3 * kBlockBytes, 19 * kBlockBytes}) {
      const std::string_view there(source.bytes);
      CHECK(file.bytes(offset, size) == there.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
    }
    CHECK(*file.blocks()->at(offset) == source.bytes[static_cast<std::size_t>(offset)]);
  }
  std::string end(1'000, 'x');
  file.copy(40 * kBlockBytes, {end.data(), end.size()});
  CHECK(end == source.bytes.substr(40 * kBlockBytes));
  CHECK(file.resident_blocks() <= 16);
}

TEST_CASE("a prefetch is one round of reads, and resident or copied bytes are not fetched again") {
  Numbered source(100 * kBlockBytes);
  const PagedFile file = file_of(source);
  const std::vector<FileRange> ranges{
      {3 * kBlockBytes - 1, 2}, {90 * kBlockBytes, 10}, {50 * kBlockBytes, 1}, {99 * kBlockBytes, 5 * kBlockBytes}};
  file.prefetch(ranges);
  CHECK(source.rounds == 1);
  CHECK(source.fetched == std::vector<std::uint32_t>{2, 3, 50, 90, 99});
  file.prefetch(ranges);
  (void)file.bytes(3 * kBlockBytes - 1, 2);
  CHECK(source.rounds == 1);
  // Everything else evicts it, but not the copy.
  for (std::uint64_t block = 10; block < 80; ++block) (void)file.blocks()->at(block * kBlockBytes);
  source.fetched.clear();
  file.prefetch({ranges.data(), 1});
  CHECK(source.fetched.empty());
  file.end_request();
  file.prefetch({ranges.data(), 1});
  CHECK(source.fetched.empty());
  CHECK(file.bytes(3 * kBlockBytes - 1, 2) == std::string_view(source.bytes).substr(3 * kBlockBytes - 1, 2));
  // A thousand more recent copies evict it when the request ends.
  for (std::uint64_t before = 2; before < 14; ++before) {
    for (std::uint64_t border = 4; border < 90; ++border) (void)file.bytes(border * kBlockBytes - before, 2 * before);
  }
  file.end_request();
  source.fetched.clear();
  file.prefetch({ranges.data(), 1});
  CHECK(source.fetched == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("sequential reads fetch more and more blocks at once") {
  Numbered source(64 * kBlockBytes);
  const PagedFile file = file_of(source, 64);
  for (std::uint64_t block = 0; block < 63; ++block) (void)file.blocks()->at(block * kBlockBytes);
  CHECK(source.rounds < 10);
  CHECK(source.fetched.size() <= 64);
}

TEST_CASE("a full cache evicts the oldest blocks, not those that were fetched last") {
  Numbered source(100 * kBlockBytes);
  const PagedFile file = file_of(source, 16);
  const auto fetch = [&](std::uint64_t first, std::uint64_t count) {
    const FileRange range{first * kBlockBytes, count * kBlockBytes};
    source.fetched.clear();
    file.prefetch({&range, 1});
    return source.fetched.size();
  };
  CHECK(fetch(0, 8) == 8);
  CHECK(fetch(20, 8) == 8);
  CHECK(fetch(40, 6) == 6);
  CHECK(fetch(20, 8) == 0);
  CHECK(fetch(40, 6) == 0);
  CHECK(fetch(0, 8) == 6);
}

TEST_CASE("a miss leaves nothing behind, and the file keeps no more blocks than its limit") {
  Numbered source(100 * kBlockBytes);
  const PagedFile file = file_of(source, 8);
  source.misses = 3;
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_AS((void)file.bytes(0, 1), BlocksMissing);
    file.end_request();
  }
  CHECK(file.resident_blocks() == 0);
  for (std::uint64_t block = 1; block < 60; block += 3) (void)file.blocks()->at(block * kBlockBytes);
  CHECK(file.resident_blocks() == 8);
}

TEST_CASE("after a source failed, nothing is resident and the source is called again") {
  Numbered source(10 * kBlockBytes);
  const PagedFile file = file_of(source);
  source.fails = true;
  CHECK_THROWS_AS((void)file.bytes(0, 10), Failure);
  CHECK(file.resident_blocks() == 0);
  source.fails = false;
  CHECK(file.bytes(0, 10) == std::string_view(source.bytes).substr(0, 10));
}

TEST_CASE("reads cover the blocks, and short gaps if that saves rounds") {
  const auto runs = [](std::vector<std::uint32_t> numbers) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const BlockRun& run : plan_reads(numbers)) pairs.emplace_back(run.first, run.count);
    return pairs;
  };
  using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(runs({}).empty());
  CHECK(runs({5, 6, 7, 9}) == Runs{{5, 3}, {9, 1}});
  CHECK(runs({1, 3, 5, 7, 9, 11, 13, 30}) == Runs{{1, 13}, {30, 1}});
  CHECK(runs({1, 6, 11, 16, 21, 26, 31}) == Runs{{1, 16}, {21, 11}});
  CHECK(runs({1, 16, 31, 46, 61, 76, 91}).size() == 7);
  std::vector<std::uint32_t> all(40);
  for (std::uint32_t i = 0; i < 40; ++i) all[i] = i;
  CHECK(runs(all) == Runs{{0, 16}, {16, 16}, {32, 8}});
}
