#include "remote_catalog/block_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../catalog/sample_tracks.h"
#include "memory_catalog.h"
#include "remote_catalog/block_plan.h"
#include "scratch_folder.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::native;
using namespace tonearm::test;

namespace {

std::string snapshot_with(int tracks, const std::string& word) {
  std::vector<Track> all;
  all.reserve(static_cast<std::size_t>(tracks));
  for (int i = 0; i < tracks; ++i) all.push_back(music("x-" + std::to_string(i), word + " song " + std::to_string(i)));
  return snapshot_bytes(all);
}

struct BlockFixture {
  ScratchFolder folder;
  std::string path = folder.path("partial");
  OpensslHashing hashing;
  std::string bytes = snapshot_with(60, "rain");

  BlockHashes hashes(const std::string& of) {
    const auto offset = static_cast<std::size_t>(BlockHashes::offset_in(of, of.size()));
    return {of.substr(offset), of.size(), hashing};
  }
  std::string block(std::uint32_t number) const { return bytes.substr(number * kBlockBytes, kBlockBytes); }
};

}  // namespace

// HOST-52
TEST_CASE("a file that was left incomplete keeps the blocks that match their hashes, and no others") {
  BlockFixture with;
  const auto hashes = with.hashes(with.bytes);
  const auto count = hashes.count();
  REQUIRE(count >= 4);
  {
    BlockFile file(with.path, hashes, with.hashing, {});
    CHECK(file.missing_count() == count);
    CHECK(file.put(0, with.block(0)));
    CHECK(file.put(2, with.block(2)));
    CHECK(file.put(2, with.block(2)));
    CHECK_FALSE(file.put(1, with.block(2)));
    CHECK(file.missing_count() == count - 2);
    CHECK(file.has(0));
    CHECK_FALSE(file.has(1));
    CHECK(file.has(count));  // the end of the file
  }
  auto altered = with.folder.read("partial");
  REQUIRE(altered.size() == with.bytes.size());
  altered[0] = static_cast<char>(altered[0] ^ 1);
  with.folder.write("partial", altered);
  BlockFile file(with.path, hashes, with.hashing, {});
  CHECK_FALSE(file.has(0));
  CHECK(file.has(2));
  const auto run = file.next_missing(0, 100);
  CHECK(run.first == 0);
  CHECK(run.count == 2);
  CHECK(file.next_missing(0, 1).count == 1);
  CHECK(file.next_missing(2, 100).first == 3);
  for (std::uint32_t number = 0; number < count; ++number) CHECK(file.put(number, with.block(number)));
  CHECK(file.missing_count() == 0);
  CHECK(file.next_missing(0, 100).count == 0);
  file.sync();
  CHECK(file.bytes() == with.bytes);
  CHECK(with.folder.read("partial") == with.bytes);
}

// HOST-52
TEST_CASE("a file of another snapshot, or of none, is replaced") {
  BlockFixture with;
  const auto hashes = with.hashes(with.bytes);
  for (const std::string& before : {snapshot_with(61, "rain"), std::string("no snapshot"), std::string()}) {
    with.folder.write("partial", before);
    const BlockFile file(with.path, hashes, with.hashing, {});
    CHECK(file.missing_count() == hashes.count());
  }
}

TEST_CASE("a check of a file can be interrupted") {
  BlockFixture with;
  with.folder.write("partial", with.bytes);
  CHECK_THROWS_AS(BlockFile(with.path, with.hashes(with.bytes), with.hashing, [] { return true; }), Failure);
}

TEST_CASE("the hashes of a file on disk are read from its end") {
  BlockFixture with;
  const auto path = with.folder.write("whole", with.bytes);
  const auto found = hashes_of_file(path, with.hashing);
  REQUIRE(found);
  CHECK(found->end() == end_of_file(path));
  CHECK_FALSE(hashes_of_file(with.folder.write("none", "text"), with.hashing));
  CHECK_FALSE(hashes_of_file(with.folder.path("absent"), with.hashing));
  CHECK(end_of_file(with.folder.path("absent")).empty());
  CHECK(end_of_file(with.folder.path()).empty());
}

// HOST-52, HOST-55
TEST_CASE("damage of a file on disk is found by its hashes") {
  BlockFixture with;
  const auto is_damaged = [&](const std::string& bytes) {
    return has_damaged_block(with.folder.write("whole", bytes), with.hashing, {});
  };
  CHECK_FALSE(is_damaged(with.bytes));
  auto altered = with.bytes;
  altered[3 * kBlockBytes + 5] = static_cast<char>(altered[3 * kBlockBytes + 5] ^ 1);
  CHECK(is_damaged(altered));
  altered = with.bytes;
  const auto offset = static_cast<std::size_t>(BlockHashes::offset_in(with.bytes, with.bytes.size()));
  altered[offset] = static_cast<char>(altered[offset] ^ 1);
  CHECK(is_damaged(altered));
  with.folder.write("whole", with.bytes);
  CHECK_THROWS_AS(has_damaged_block(with.folder.path("whole"), with.hashing, [] { return true; }), Failure);
}

// HOST-51
TEST_CASE("a block is copied from the first source that has it, if possible from the same number") {
  BlockFixture with;
  const auto wanted = with.hashes(with.bytes);
  const auto other = with.hashes(snapshot_with(61, "wind"));
  CHECK(plan_copies(wanted, {}).empty());
  const std::vector<BlockHashes> same{other, wanted, wanted};
  const auto copies = plan_copies(wanted, same);
  REQUIRE(copies.size() == wanted.count());
  for (std::uint32_t number = 0; number < wanted.count(); ++number) {
    const auto& copy = copies[number];
    CHECK(copy.to == number);
    CHECK(same[copy.source].hash(copy.from) == wanted.hash(number));
    bool has_earlier = false;
    for (std::uint32_t from = 0; from < other.count(); ++from) has_earlier |= other.hash(from) == wanted.hash(number);
    CHECK(copy.source == (has_earlier ? 0 : 1));
    if (!has_earlier) CHECK(copy.from == number);
  }
}
